/**
 * The calls in a trace of strace that reach for something outside this machine: connections and messages to any
 * address but 127.0.0.1, and any question to a resolver, which is asked on port 53 or through a socket of its own.
 */
export function connectionsOut(trace: string): string[] {
  return trace.split('\n').filter((line) => {
    const call = /^\d+ +(connect|sendto|sendmsg|sendmmsg)\(/.test(line)
    // The kernel answers these itself.
    if (!call || !/sa_family=/.test(line) || /sa_family=(AF_NETLINK|AF_UNSPEC)/.test(line)) return false
    return !/sa_family=AF_INET, sin_port=htons\((?!53\))\d+\), sin_addr=inet_addr\("127\.0\.0\.1"\)/.test(line)
  })
}

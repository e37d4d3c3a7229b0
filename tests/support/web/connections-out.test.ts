import { expect, it } from 'vitest'
import { connectionsOut } from './connections-out'

const inside = [
  '41  connect(23, {sa_family=AF_INET, sin_port=htons(34567), sin_addr=inet_addr("127.0.0.1")}, 16) = -1 EINPROGRESS',
  '41  sendto(22, {nlmsg_len=20}, 20, 0, {sa_family=AF_NETLINK, nl_pid=0, nl_groups=00000000}, 12) = 20',
  '41  sendto(23, "GET / HTTP/1.1", 14, MSG_NOSIGNAL, NULL, 0) = 14',
  '41  connect(23, {sa_family=AF_UNSPEC, sa_data="\\0"}, 16) = 0',
  '41  +++ exited with 0 +++',
]

it.each([
  '41  connect(23, {sa_family=AF_INET, sin_port=htons(443), sin_addr=inet_addr("93.184.216.34")}, 16 <unfinished ...>',
  '41  connect(23, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("127.0.0.1")}, 16) = 0',
  '41  connect(23, {sa_family=AF_INET6, sin6_port=htons(443), inet_pton(AF_INET6, "2606:2800::1", &sin6_addr)}, 28) = 0',
  '41  connect(23, {sa_family=AF_UNIX, sun_path="/var/run/nscd/socket"}, 110) = -1 ENOENT',
  '41  sendto(23, "\\0\\1", 2, 0, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("10.0.0.2")}, 16) = 2',
  '41  sendmsg(23, {msg_name={sa_family=AF_INET, sin_port=htons(9), sin_addr=inet_addr("10.0.0.2")}}, 0) = 2',
])('finds %s', (line) => {
  expect(connectionsOut([...inside, line].join('\n'))).toEqual([line])
})

it('finds nothing in what stays on this machine', () => {
  expect(connectionsOut(inside.join('\n'))).toEqual([])
})

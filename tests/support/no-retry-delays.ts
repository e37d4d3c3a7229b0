/** As many further attempts as the product makes, without the waits between them. */
export const noRetryDelays = [0, 0]

/** For a shared thread that does not exist, or is not shared any more. */
export const threadNotFound = 'Thread not found or is no longer public'

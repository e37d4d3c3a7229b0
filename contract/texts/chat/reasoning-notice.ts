/** Follows reasoning that was sent as text where no text can be withdrawn. */
export const reasoningNotice = "\n\nThe text above is the model's reasoning. Its answer:\n\n"

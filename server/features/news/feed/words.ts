/** Splits a list of words at white space. */
export const words = (text: string): string[] => text.trim().split(/\s+/)

export const wordSet = (text: string): ReadonlySet<string> => new Set(words(text))

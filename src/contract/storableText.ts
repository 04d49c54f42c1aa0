/** PostgreSQL rejects NUL, and UTF-8 cannot encode a lone surrogate. */
export const isStorable = (value: string) => !value.includes('\0') && value.isWellFormed()

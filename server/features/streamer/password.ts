import { randomBytes } from 'node:crypto'

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'
/** 130 random bits */
const LENGTH = 26

/** Returns a password of letters and digits: every program stores them unchanged in its settings and in URLs. */
export const generateStreamPassword = (): string =>
  [...randomBytes(LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('')

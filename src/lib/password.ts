export const PASSWORD_LENGTHS = [8, 12, 16] as const
export type PasswordLength = (typeof PASSWORD_LENGTHS)[number]

export const DEFAULT_PASSWORD_LENGTH: PasswordLength = 16

export const passwordClasses = {
  lowercase: 'abcdefghijklmnopqrstuvwxyz',
  uppercase: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  digits: '0123456789',
  special: '!@#$%^&*()_+-=[]{}|;:,.<>?',
} as const

const classes = Object.values(passwordClasses)
const alphabet = classes.join('')

type RandomSource = (bytes: Uint8Array<ArrayBuffer>) => void

const fillFromCrypto: RandomSource = (bytes) => void crypto.getRandomValues(bytes)

/**
 * Generates passwords until one contains all character classes. This makes all valid passwords equally likely.
 * @param length at least 4
 */
export function generatePassword(length: number, fill: RandomSource = fillFromCrypto): string {
  if (length < classes.length) throw new RangeError(`${classes.length} classes do not fit into ${length} characters`)
  const draw = drawFrom(alphabet, fill)
  for (;;) {
    const password = Array.from({ length }, draw).join('')
    if (classes.every((members) => [...members].some((character) => password.includes(character)))) return password
  }
}

/** Skips bytes from the largest multiple of the alphabet size on: they would favour the first characters. */
function drawFrom(characters: string, fill: RandomSource): () => string {
  const bytes = new Uint8Array(64)
  const limit = 256 - (256 % characters.length)
  let next = bytes.length
  return () => {
    for (;;) {
      if (next === bytes.length) {
        fill(bytes)
        next = 0
      }
      const byte = bytes[next++] as number
      if (byte < limit) return characters.charAt(byte % characters.length)
    }
  }
}

/** Returns log2 of the number of possible passwords. Uses inclusion-exclusion over missing character classes. */
export function entropyBits(length: number): number {
  let count = 0n
  for (let missing = 0; missing < 2 ** classes.length; missing++) {
    const absent = classes.filter((_, index) => missing & (1 << index))
    const left = alphabet.length - absent.join('').length
    count += (absent.length % 2 === 0 ? 1n : -1n) * BigInt(left) ** BigInt(length)
  }
  return Math.log2(Number(count))
}

export type Strength = 'Weak' | 'Medium' | 'Strong'

export function strengthOf(length: number): Strength {
  if (length < 8) return 'Weak'
  return length < 12 ? 'Medium' : 'Strong'
}

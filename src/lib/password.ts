import { passwordClasses } from '#src/contract/password.ts'

const classes = Object.values(passwordClasses)
const alphabet = classes.join('')

/** Fills an array with random bytes; `crypto.getRandomValues` wherever no test puts in its own. */
export type RandomSource = (bytes: Uint8Array<ArrayBuffer>) => void

const cryptographic: RandomSource = (bytes) => void crypto.getRandomValues(bytes)

/**
 * Makes a password: each position drawn evenly from all characters, the whole drawn again until every class is in it.
 * So all strings that have the four classes are equally likely, where setting one of each class in first and shuffling
 * would favour some.
 * @param length at least 4
 */
export function generatePassword(length: number, fill: RandomSource = cryptographic): string {
  if (length < classes.length) throw new RangeError(`${classes.length} classes do not fit into ${length} characters`)
  const draw = drawFrom(alphabet, fill)
  for (;;) {
    const password = Array.from({ length }, draw).join('')
    if (classes.every((members) => [...members].some((character) => password.includes(character)))) return password
  }
}

/** Draws characters evenly: bytes past the largest multiple of their number are thrown away, or the first would win. */
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

/**
 * True entropy in bits: log2 of how many passwords of this length there are, those that are drawn again left out
 * (inclusion and exclusion over the classes that may be missing).
 */
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

/** What a length is worth: under 8 weak, under 12 medium, else strong. */
export function strengthOf(length: number): Strength {
  if (length < 8) return 'Weak'
  return length < 12 ? 'Medium' : 'Strong'
}

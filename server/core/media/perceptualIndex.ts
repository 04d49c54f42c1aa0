/** 256 bits. */
export const HASH_BYTES = 32
/** Bytes of one variant: its bits, and which of them are clear. */
export const VARIANT_BYTES = 2 * HASH_BYTES
/** Maximum fraction of a blocked image's clear bits that differ in a match. Altered copies differ in fewer bits. */
const MAX_DIFFERENCE = 0.09
const HASH_WORDS = HASH_BYTES / 4
const VARIANT_WORDS = VARIANT_BYTES / 4

export type PerceptualIndex = ReturnType<typeof createPerceptualIndex>

/** Holds the hashes of blocked images in one array: 100,000 images need 70 MB, and a search some milliseconds. */
export function createPerceptualIndex() {
  let words = new Uint32Array(64 * VARIANT_WORDS)
  /** how many bits may differ, per variant */
  let limits = new Uint8Array(64)
  /** the image of each variant */
  let images = new Float64Array(64)
  let count = 0

  return {
    /** Adds the variants of one image. */
    add(image: number, variants: Uint8Array): void {
      const added = toWords(variants)
      const total = count + added.length / VARIANT_WORDS
      if (total > limits.length) {
        words = resize(words, new Uint32Array(2 * total * VARIANT_WORDS))
        limits = resize(limits, new Uint8Array(2 * total))
        images = resize(images, new Float64Array(2 * total))
      }
      words.set(added, count * VARIANT_WORDS)
      for (; count < total; count++) {
        let clear = 0
        for (let at = 0; at < HASH_WORDS; at++) clear += countBits(words[count * VARIANT_WORDS + HASH_WORDS + at] ?? 0)
        images[count] = image
        limits[count] = Math.floor(clear * MAX_DIFFERENCE)
      }
    },

    /** Finds an image of the index that looks like the image with this hash. */
    find(hash: Uint8Array): number | null {
      const searched = toWords(hash.subarray(0, HASH_BYTES))
      for (let variant = 0; variant < count; variant++) {
        const start = variant * VARIANT_WORDS
        let left = limits[variant] ?? 0
        for (let at = 0; at < HASH_WORDS && left >= 0; at++) {
          const differing = (words[start + at] ?? 0) ^ (searched[at] ?? 0)
          left -= countBits(differing & (words[start + HASH_WORDS + at] ?? 0))
        }
        if (left >= 0) return images[variant] ?? null
      }
      return null
    },
  }
}

/** Copies the bytes: a Buffer may start in the middle of a word, and share its memory. */
const toWords = (bytes: Uint8Array) => new Uint32Array(new Uint8Array(bytes).buffer)

function resize<A extends Uint32Array | Uint8Array | Float64Array>(from: A, to: A): A {
  to.set(from)
  return to
}

/** Counts the set bits of a 32-bit number. */
function countBits(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

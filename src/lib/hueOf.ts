const HUES = 12

/** Returns a hue number from 0 to 11, based on the FNV-1a hash of the name. */
export function hueOf(name: string): number {
  let hash = 0x811c9dc5
  for (const char of name) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193)
  return (hash >>> 0) % HUES
}

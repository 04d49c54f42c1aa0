type Kept<Value> = { value: Value; bytes: number }

/**
 * Values by key and by tag, within a number of bytes: what was not asked for the longest goes first.
 * @param most bytes of all values together; one that alone takes more than half is not kept
 */
export function createShelf<Value extends { tags: readonly string[] }>(most: number) {
  // A map keeps the order of insertion: what is read is put in anew, so the first is the one that waits longest.
  const kept = new Map<string, Kept<Value>>()
  const byTag = new Map<string, Set<Value>>()
  let total = 0

  function remove(key: string): void {
    const old = kept.get(key)
    if (!old) return
    kept.delete(key)
    total -= old.bytes
    for (const tag of old.value.tags) {
      const values = byTag.get(tag)
      values?.delete(old.value)
      if (values?.size === 0) byTag.delete(tag)
    }
  }

  function makeRoom(): void {
    for (const key of kept.keys()) {
      if (total <= most) return
      remove(key)
    }
  }

  return {
    get(key: string): Value | undefined {
      const found = kept.get(key)
      if (!found) return undefined
      kept.delete(key)
      kept.set(key, found)
      return found.value
    },

    set(key: string, value: Value, bytes: number): void {
      remove(key)
      if (bytes > most / 2) return
      kept.set(key, { value, bytes })
      total += bytes
      for (const tag of value.tags) byTag.set(tag, (byTag.get(tag) ?? new Set()).add(value))
      makeRoom()
    },

    /** A value takes more bytes than it did; one that has been replaced meanwhile is nobody's business. */
    grow(key: string, value: object, more: number): void {
      const found = kept.get(key)
      if (found?.value !== value) return
      found.bytes += more
      total += more
      makeRoom()
    },

    delete: remove,

    /** Visits the values that carry one of these tags. */
    each(tags: readonly string[], visit: (value: Value) => void): void {
      for (const tag of tags) for (const value of byTag.get(tag) ?? []) visit(value)
    },

    clear(): void {
      kept.clear()
      byTag.clear()
      total = 0
    },

    size: () => kept.size,
    bytes: () => total,
  }
}

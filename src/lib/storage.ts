/** `sessionStorage` belongs to one tab. */
type Area = 'localStorage' | 'sessionStorage'

/** Returns the parsed entry of the storage; null if it is missing or invalid, or if storage is blocked. */
export function readStored(key: string, area: Area = 'localStorage'): unknown {
  try {
    return JSON.parse(globalThis[area].getItem(key) ?? 'null')
  } catch {
    return null
  }
}

/** Returns only fields whose type matches `defaults`, because any script on this origin can write the storage. */
export function readStoredFields<Fields extends object>(key: string, defaults: Fields, area?: Area): Partial<Fields> {
  const known = Object.entries(readStored(key, area) ?? {}).filter(
    ([name, value]) => Object.hasOwn(defaults, name) && typeof value === typeof defaults[name as keyof Fields],
  )
  return Object.fromEntries(known) as Partial<Fields>
}

/** Writes an entry; null removes it. @returns false if storage is full or blocked */
export function writeStored(key: string, value: unknown, area: Area = 'localStorage'): boolean {
  try {
    if (value === null) globalThis[area].removeItem(key)
    else globalThis[area].setItem(key, JSON.stringify(value))
    return true
  } catch {
    return false
  }
}

/** Calls `onChange` when another tab changes an entry. Returns a function that ends this. */
export function followStored(key: string, onChange: () => void): () => void {
  // A null key means that the storage was cleared.
  const onStorage = (event: StorageEvent) => (event.key === key || event.key === null) && onChange()
  addEventListener('storage', onStorage)
  return () => removeEventListener('storage', onStorage)
}

import type { ProgramView } from '#src/contract/program.ts'

/** `q` searches name, description and addedBy; an empty `category` matches all categories. */
export type Filter = { q: string; category: string }

export const EMPTY_FILTER: Filter = { q: '', category: '' }

export function matchesFilter({ name, description, addedBy, category }: ProgramView, filter: Filter): boolean {
  const text = filter.q.trim().toLowerCase()
  const found = [name, description, addedBy].some((field) => field.toLowerCase().includes(text))
  return found && (filter.category === '' || filter.category === category)
}

export function formatFilterUrl({ q, category }: Filter): string {
  const query = new URLSearchParams()
  if (q.trim() !== '') query.set('q', q.trim())
  if (category !== '') query.set('category', category)
  return `/programs-we-love${query.size > 0 ? `?${query}` : ''}`
}

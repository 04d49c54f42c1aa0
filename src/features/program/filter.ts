import type { ProgramView } from '#src/contract/program.ts'

/** What is looked for: text in name, description or who added it; one category, or '' for all. */
export type Filter = { q: string; category: string }

export const noFilter: Filter = { q: '', category: '' }

/** Whether a program is shown. */
export function matches({ name, description, addedBy, category }: ProgramView, filter: Filter): boolean {
  const text = filter.q.trim().toLowerCase()
  const found = [name, description, addedBy].some((field) => field.toLowerCase().includes(text))
  return found && (filter.category === '' || filter.category === category)
}

/** The query of an address that shows the same; '' without a filter. */
export function queryOf({ q, category }: Filter): string {
  const query = new URLSearchParams()
  if (q.trim() !== '') query.set('q', q.trim())
  if (category !== '') query.set('category', category)
  return query.size > 0 ? `?${query}` : ''
}

import { LayoutGrid } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ProgramView } from '#src/contract/program.ts'
import { t } from '#src/i18n/t.ts'
import { Button } from '#src/ui/Button.tsx'
import { Chip } from '#src/ui/Chip.tsx'
import { SearchField } from '#src/ui/SearchField.tsx'
import { describeCategory, listCategories } from './categories.ts'
import styles from './program.module.css'

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

type ProgramFiltersProps = {
  programs: ProgramView[]
  filter: Filter
  onChange: (patch: Partial<Filter>) => void
  children: ReactNode
}

/** Filters the programs. Without JavaScript, the form requests the filtered page from the server. */
export function ProgramFilters({ programs, filter, onChange, children }: ProgramFiltersProps) {
  return (
    <search>
      <form className={styles.filters} onSubmit={(event) => event.preventDefault()}>
        <div className={styles.search}>
          <SearchField
            name="q"
            aria-label={t('program.searchPrograms')}
            placeholder={t('program.searchPlaceholder')}
            autoComplete="off"
            enterKeyHint="search"
            value={filter.q}
            onChange={(event) => onChange({ q: event.target.value })}
          />
        </div>
        <fieldset className={`cluster scroller ${styles.chips}`}>
          <legend className="visually-hidden">{t('field.category')}</legend>
          <Chip
            icon={LayoutGrid}
            count={programs.length}
            name="category"
            value=""
            checked={filter.category === ''}
            onChange={() => onChange({ category: '' })}
          >
            {t('program.allCategories')}
          </Chip>
          {listCategories(programs).map((category) => {
            const { icon, hue, name } = describeCategory(category)
            return (
              <span key={category} className={styles.chip} data-hue={hue}>
                <Chip
                  icon={icon}
                  count={programs.filter((program) => program.category === category).length}
                  name="category"
                  value={category}
                  checked={filter.category === category}
                  onChange={() => onChange({ category })}
                >
                  {name()}
                </Chip>
              </span>
            )
          })}
        </fieldset>
        <div className={styles.result}>
          <Button native size="small" type="submit" className={styles.submit}>
            {t('ui.search')}
          </Button>
          {children}
        </div>
      </form>
    </search>
  )
}

/** Decoration: draws a tick for each program, by category, and highlights ticks that match the filter. */
export function ProgramTicks({ programs, shown }: { programs: ProgramView[]; shown: ProgramView[] }) {
  const order = listCategories(programs)
  const lit = new Set(shown)
  const banded = [...programs].sort((a, b) => order.indexOf(a.category) - order.indexOf(b.category))
  return (
    <div className={styles.ticks} aria-hidden="true">
      {banded.map((program) => (
        <span
          key={program.id}
          data-hue={describeCategory(program.category).hue}
          data-lit={lit.has(program) || undefined}
        />
      ))}
    </div>
  )
}

import { LayoutGrid } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ProgramView } from '#src/contract/program.ts'
import { Button } from '#src/ui/Button.tsx'
import { Chip } from '#src/ui/Chip.tsx'
import { SearchField } from '#src/ui/SearchField.tsx'
import { categoryStyle, listCategories } from './categories.ts'
import type { Filter } from './filter.ts'
import styles from './ProgramFilters.module.css'

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
            aria-label="Search programs"
            placeholder="Name, description or who added it"
            autoComplete="off"
            enterKeyHint="search"
            value={filter.q}
            onChange={(event) => onChange({ q: event.target.value })}
          />
        </div>
        <fieldset className={styles.chips}>
          <legend className="visually-hidden">Category</legend>
          <Chip
            icon={LayoutGrid}
            count={programs.length}
            name="category"
            value=""
            checked={filter.category === ''}
            onChange={() => onChange({ category: '' })}
          >
            All Categories
          </Chip>
          {listCategories(programs).map((category) => {
            const { icon, hue } = categoryStyle(category)
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
                  {category}
                </Chip>
              </span>
            )
          })}
        </fieldset>
        <div className={styles.result}>
          <Button native size="small" type="submit" className={styles.submit}>
            Search
          </Button>
          {children}
        </div>
      </form>
    </search>
  )
}

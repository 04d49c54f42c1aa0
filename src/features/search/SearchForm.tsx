import type { FormEvent } from 'react'
import { navigate } from 'vike/client/router'
import {
  SEARCH_FIELDS,
  SEARCH_PATH,
  type SearchBoard,
  type SearchFields,
  searchLimits,
  searchPath,
} from '#src/contract/search.ts'
import { t } from '#src/i18n/t.ts'
import { Button } from '#src/ui/Button.tsx'
import { Checkbox } from '#src/ui/Checkbox.tsx'
import { Field, Select, TextInput } from '#src/ui/Field.tsx'
import { SearchField } from '#src/ui/SearchField.tsx'
import styles from './search.module.css'

/** Without script, the browser requests the same URL. */
export function SearchForm({ fields, boards }: { fields: SearchFields; boards: SearchBoard[] }) {
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    void navigate(searchPath(Object.fromEntries(SEARCH_FIELDS.map((name) => [name, String(form.get(name) ?? '')]))))
  }

  // Results come first, unless the filters are in use.
  const isOpen =
    fields.q === '' || fields.sort === 'date' || [fields.board, fields.from, fields.to, fields.images].some(Boolean)
  return (
    <search>
      <form className={`stack ${styles.form}`} action={SEARCH_PATH} onSubmit={submit}>
        <div className={styles.query}>
          <SearchField
            name="q"
            aria-label={t('search.searchFor')}
            placeholder={t('search.placeholder')}
            autoComplete="off"
            enterKeyHint="search"
            required
            maxLength={searchLimits.query}
            defaultValue={fields.q}
            data-search-field=""
          />
          <Button variant="primary" native type="submit">
            {t('ui.search')}
          </Button>
        </div>
        <details className="accordion disclosure" open={isOpen}>
          <summary>{t('search.narrow')}</summary>
          <div className={styles.filters}>
            <Field label={t('board.board')}>
              <Select name="board" defaultValue={fields.board}>
                <option value="">{t('ui.allBoards')}</option>
                {boards.map(({ id, name }) => (
                  <option key={id} value={id}>{`/${id}/ - ${name}`}</option>
                ))}
              </Select>
            </Field>
            <Field label={t('search.from')}>
              <TextInput type="date" name="from" defaultValue={fields.from} />
            </Field>
            <Field label={t('search.to')}>
              <TextInput type="date" name="to" defaultValue={fields.to} />
            </Field>
            <Field label={t('search.order')}>
              <Select name="sort" defaultValue={fields.sort || 'relevance'}>
                <option value="relevance">{t('search.bestFirst')}</option>
                <option value="date">{t('search.newestFirst')}</option>
              </Select>
            </Field>
            <label className={`cluster ${styles.images}`}>
              <Checkbox name="images" value="true" defaultChecked={fields.images === 'true'} />
              {t('search.onlyImages')}
            </label>
          </div>
        </details>
      </form>
    </search>
  )
}

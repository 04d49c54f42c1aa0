import type { FormEvent } from 'react'
import { navigate } from 'vike/client/router'
import { type SearchBoard, searchLimits } from '#src/contract/search.ts'
import { SEARCH_FIELDS, SEARCH_PATH, type SearchFields, searchPath } from '#src/contract/searchPaths.ts'
import { Button } from '#src/ui/Button.tsx'
import { Checkbox } from '#src/ui/Checkbox.tsx'
import { Field, TextInput } from '#src/ui/Field.tsx'
import { SearchField } from '#src/ui/SearchField.tsx'
import { Select } from '#src/ui/Select.tsx'
import styles from './SearchForm.module.css'

/** Without script, the browser requests the same URL. */
export function SearchForm({ fields, boards }: { fields: SearchFields; boards: SearchBoard[] }) {
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    void navigate(searchPath(Object.fromEntries(SEARCH_FIELDS.map((name) => [name, String(form.get(name) ?? '')]))))
  }

  return (
    <search>
      <form className={styles.form} action={SEARCH_PATH} onSubmit={submit}>
        <div className={styles.query}>
          <SearchField
            name="q"
            aria-label="Search for"
            placeholder="Words, &quot;a phrase&quot;, -without, nick:name"
            autoComplete="off"
            enterKeyHint="search"
            required
            maxLength={searchLimits.query}
            defaultValue={fields.q}
            data-search-field=""
          />
          <Button variant="primary" native type="submit">
            Search
          </Button>
        </div>
        <div className={styles.filters}>
          <Field label="Board">
            <Select name="board" defaultValue={fields.board}>
              <option value="">All boards</option>
              {boards.map(({ id, name }) => (
                <option key={id} value={id}>{`/${id}/ - ${name}`}</option>
              ))}
            </Select>
          </Field>
          <Field label="From">
            <TextInput type="date" name="from" defaultValue={fields.from} />
          </Field>
          <Field label="To">
            <TextInput type="date" name="to" defaultValue={fields.to} />
          </Field>
          <Field label="Order">
            <Select name="sort" defaultValue={fields.sort || 'relevance'}>
              <option value="relevance">Best match first</option>
              <option value="date">Newest first</option>
            </Select>
          </Field>
          <label className={styles.images}>
            <Checkbox name="images" value="true" defaultChecked={fields.images === 'true'} />
            Only with pictures
          </label>
        </div>
      </form>
    </search>
  )
}

import { Search } from 'lucide-react'
import type { FormEvent } from 'react'
import { navigate } from 'vike/client/router'
import { t } from '#src/i18n/t.ts'
import { Button } from '#src/ui/Button.tsx'
import { cx } from '#src/ui/cx.ts'
import field from '#src/ui/Field.module.css'
import searchField from '#src/ui/SearchField.module.css'
import postList from './postList.module.css'

/** Searches a board, or all boards without `boardId`. Looks like a SearchField; boards do not load that component. */
export function BoardSearch({ boardId }: { boardId?: string }) {
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    void navigate(`/search?${new URLSearchParams(new FormData(event.currentTarget) as unknown as string[][])}`)
  }

  const label = boardId ? t('board.searchBoard', { board: boardId }) : t('board.searchAllBoards')
  return (
    <search>
      <form className={postList.searchForm} action="/search" onSubmit={submit}>
        <div className={searchField.search}>
          <Search className="icon" />
          <input
            className={cx(field.input, searchField.input)}
            type="search"
            name="q"
            aria-label={label}
            placeholder={boardId ? t('ui.search') : label}
            data-search-field=""
          />
        </div>
        {boardId && <input type="hidden" name="board" value={boardId} />}
        <Button native type="submit">
          {t('ui.search')}
        </Button>
      </form>
    </search>
  )
}

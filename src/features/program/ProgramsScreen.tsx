import { LogIn, Plus } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { AuthUser } from '#src/contract/auth.ts'
import type { ProgramView } from '#src/contract/program.ts'
import { rich, t } from '#src/i18n/t.ts'
import { focusInView } from '#src/lib/focus.ts'
import { useLiveList } from '#src/lib/liveData.ts'
import { trpc } from '#src/lib/trpc.ts'
import { useUrlFilter } from '#src/lib/useUrlFilter.ts'
import { Button, ButtonLink } from '#src/ui/Button.tsx'
import { cx } from '#src/ui/cx.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { Scripted } from '#src/ui/Scripted.tsx'
import { useDeletion } from '#src/ui/useDeletion.tsx'
import { loadCode } from '#src/ui/useLazyComponent.ts'
import { groupByCategory } from './categories.ts'
import { CategoryGroup, ProgramCard } from './ProgramCard.tsx'
import {
  EMPTY_FILTER,
  type Filter,
  formatFilterUrl,
  matchesFilter,
  ProgramFilters,
  ProgramTicks,
} from './ProgramFilters.tsx'
import styles from './program.module.css'

type ProgramDialog = typeof import('./ProgramDialog.tsx').ProgramDialog
type Editing = { ProgramDialog: ProgramDialog; program?: ProgramView }

type ProgramsScreenProps = {
  initial: { programs: ProgramView[]; lastEventId: string }
  filter: Filter
  user: AuthUser | null
  onLogin: () => void
  invitation: ReactNode
}

export function ProgramsScreen({ initial, filter: initialFilter, user, onLogin, invitation }: ProgramsScreenProps) {
  const {
    items: programs,
    append,
    replace,
    remove,
    refetchItem,
  } = useLiveList({
    initialData: initial.programs,
    lastEventId: initial.lastEventId,
    read: async () => (await (await trpc()).program.list.query()).programs,
    topic: 'programs',
  })
  const { filter, change } = useUrlFilter(initialFilter, formatFilterUrl)
  const [editing, setEditing] = useState<Editing | null>(null)
  const { dialog: deletion, askToDelete } = useDeletion()
  const [added, setAdded] = useState<number | null>(null)
  const results = useRef<HTMLParagraphElement>(null)
  const shown = programs.filter((program) => matchesFilter(program, filter))

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the list contains the new program
  useEffect(() => {
    const card = added === null ? null : document.getElementById(`program-${added}`)
    card?.scrollIntoView({ block: 'center' })
    if (card) setAdded(null)
  }, [added, programs])

  async function edit(program?: ProgramView) {
    const loaded = await loadCode(() => import('./ProgramDialog.tsx'))
    if (loaded) setEditing({ ...loaded, program })
  }

  function askToDeleteProgram({ id, name }: ProgramView) {
    const deletion = {
      title: t('program.deleteQuestion', { name }),
      text: t('program.deleteText'),
      failed: t('program.deleteFailed'),
      done: t('program.deleted', { name }),
      run: async () => (await trpc()).program.delete.mutate({ id }),
    }
    void askToDelete(deletion, () => {
      remove(id)
      // Moves the focus, because the button that opened the dialog disappears with the card.
      focusInView(results.current)
    })
  }

  function showAll() {
    change(EMPTY_FILTER)
    // The focused link disappears.
    focusInView(results.current)
  }

  function saved(program: ProgramView) {
    if (editing?.program) return replace(program)
    append(program)
    if (!matchesFilter(program, filter)) change(EMPTY_FILTER)
    setAdded(program.id)
  }

  const addButton = user ? (
    <Button variant="primary" onClick={() => edit()}>
      <Plus className="icon" />
      {t('program.addProgram')}
    </Button>
  ) : (
    <LoginButton onLogin={onLogin} />
  )

  return (
    <div className="wrap">
      <PageHeader title={t('site.programsWeLove')} lead={t('program.lead')} action={addButton} />
      <ProgramFilters programs={programs} filter={filter} onChange={change}>
        <ProgramTicks programs={programs} shown={shown} />
        <p ref={results} className={cx('data', styles.count)} role="status" tabIndex={-1}>
          {rich('program.count', { count: shown.length, b: (text) => <strong>{text}</strong> })}
        </p>
      </ProgramFilters>
      {shown.length > 0 ? (
        groupByCategory(shown).map(({ category, programs: group }) => (
          <CategoryGroup key={category} category={category} count={group.length}>
            {group.map((program) => (
              <ProgramCard
                key={program.id}
                program={program}
                onEdit={user ? () => edit(program) : undefined}
                onDelete={user ? () => askToDeleteProgram(program) : undefined}
              />
            ))}
          </CategoryGroup>
        ))
      ) : (
        <EmptyState action={programs.length > 0 && <ShowAll onClick={showAll} />}>
          {programs.length === 0 ? t('program.none') : t('program.noMatch')}
        </EmptyState>
      )}
      <p className={styles.invitation}>{invitation}</p>
      {editing && (
        <editing.ProgramDialog
          program={editing.program}
          onClose={() => setEditing(null)}
          onSaved={saved}
          refetchProgram={refetchItem}
        />
      )}
      {deletion}
    </div>
  )
}

function ShowAll({ onClick }: { onClick: () => void }) {
  return (
    <ButtonLink
      href="/programs-we-love"
      onClick={(event) => {
        event.preventDefault()
        // The router follows links even if their click is prevented. Its answer would reset the filter.
        event.stopPropagation()
        onClick()
      }}
    >
      {t('program.showAll')}
    </ButtonLink>
  )
}

/** Opens the login dialog, or the login page before hydration. */
function LoginButton({ onLogin }: { onLogin: () => void }) {
  return (
    <Scripted>
      <form
        className={styles.login}
        action="/login"
        onSubmit={(event) => {
          event.preventDefault()
          onLogin()
        }}
      >
        <input type="hidden" name="next" value="/programs-we-love" />
        <Button type="submit" native>
          <LogIn className="icon" />
          {t('program.login')}
        </Button>
      </form>
    </Scripted>
  )
}

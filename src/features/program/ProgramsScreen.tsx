import { LogIn, Plus } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { type ProgramView, programMessages } from '#src/contract/program.ts'
import type { AuthUser } from '#src/contract/user.ts'
import { Button } from '#src/ui/Button.tsx'
import { cx } from '#src/ui/cx.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { EMPTY_FILTER, type Filter, matchesFilter } from './filter.ts'
import { ProgramCard } from './ProgramCard.tsx'
import { ProgramFilters } from './ProgramFilters.tsx'
import styles from './ProgramsScreen.module.css'
import { ProgramTicks } from './ProgramTicks.tsx'
import { useFilter } from './useFilter.ts'
import { usePrograms } from './usePrograms.ts'

const ProgramDialog = lazy(() => import('./ProgramDialog.tsx'))
const DeleteProgramDialog = lazy(() => import('./DeleteProgramDialog.tsx'))

type Editing = { opening: number; program?: ProgramView; open: boolean }
type Deleting = { program: ProgramView; open: boolean }

type ProgramsScreenProps = {
  initial: { programs: ProgramView[]; lastEventId: string }
  filter: Filter
  user: AuthUser | null
  onLogin: () => void
  invitation: ReactNode
}

export function ProgramsScreen({ initial, filter: given, user, onLogin, invitation }: ProgramsScreenProps) {
  const { programs, append, replace, remove, refetchProgram } = usePrograms(initial)
  const { filter, change } = useFilter(given)
  const [editing, setEditing] = useState<Editing | null>(null)
  const [deleting, setDeleting] = useState<Deleting | null>(null)
  const [added, setAdded] = useState<number | null>(null)
  const results = useRef<HTMLParagraphElement>(null)
  const shown = programs.filter((program) => matchesFilter(program, filter))

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the list contains the new program
  useEffect(() => {
    const card = added === null ? null : document.getElementById(`program-${added}`)
    card?.scrollIntoView({ block: 'center' })
    if (card) setAdded(null)
  }, [added, programs])

  const edit = (program?: ProgramView) =>
    setEditing((before) => ({ opening: (before?.opening ?? 0) + 1, program, open: true }))

  function saved(program: ProgramView) {
    if (editing?.program) return replace(program)
    append(program)
    if (!matchesFilter(program, filter)) change(EMPTY_FILTER)
    setAdded(program.id)
  }

  const addKey = user ? (
    <Button variant="primary" onClick={() => edit()}>
      <Plus className="icon" />
      Add Program
    </Button>
  ) : (
    <LoginButton onLogin={onLogin} />
  )

  return (
    <div className="wrap">
      <PageHeader
        title="Programs We Love"
        lead="Tools that people in the channels use and would install again. Picked by hand, no adverts, no affiliate links."
        action={addKey}
      />
      <ProgramFilters programs={programs} filter={filter} onChange={change}>
        <ProgramTicks programs={programs} shown={shown} />
        <p ref={results} className={cx('data', styles.count)} role="status" tabIndex={-1}>
          <strong>{shown.length}</strong> {shown.length === 1 ? 'program' : 'programs'}
        </p>
      </ProgramFilters>
      {shown.length > 0 ? (
        <div className={styles.catalogue}>
          {shown.map((program) => (
            <ProgramCard
              key={program.id}
              program={program}
              onEdit={user ? () => edit(program) : undefined}
              onDelete={user ? () => setDeleting({ program, open: true }) : undefined}
            />
          ))}
        </div>
      ) : (
        <EmptyState
          action={programs.length > 0 && <Button onClick={() => change(EMPTY_FILTER)}>Show all programs</Button>}
        >
          {programs.length === 0 ? programMessages.none : programMessages.noMatch}
        </EmptyState>
      )}
      <p className={styles.invitation}>{invitation}</p>
      {editing && (
        <Suspense fallback={null}>
          <ProgramDialog
            key={editing.opening}
            program={editing.program}
            open={editing.open}
            onClose={() => setEditing({ ...editing, open: false })}
            onSaved={saved}
            refetchProgram={refetchProgram}
          />
        </Suspense>
      )}
      {deleting && (
        <Suspense fallback={null}>
          <DeleteProgramDialog
            {...deleting}
            onClose={() => setDeleting({ ...deleting, open: false })}
            onDeleted={() => {
              remove(deleting.program.id)
              // The button that opened the dialog is removed with its card.
              results.current?.focus()
            }}
          />
        </Suspense>
      )}
    </div>
  )
}

/** Opens the login dialog; before hydration it leads to the login page. */
function LoginButton({ onLogin }: { onLogin: () => void }) {
  return (
    <form
      action="/login"
      onSubmit={(event) => {
        event.preventDefault()
        onLogin()
      }}
    >
      <input type="hidden" name="next" value="/programs-we-love" />
      <Button type="submit" native>
        <LogIn className="icon" />
        Login to Add Program
      </Button>
    </form>
  )
}

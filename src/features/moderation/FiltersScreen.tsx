import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { FilterView } from '#src/contract/filters.ts'
import { t } from '#src/i18n/t.ts'
import { prepareNeighbourFocus } from '#src/lib/focus.ts'
import { usePrivateQuery } from '#src/lib/privateQuery.ts'
import { trpc } from '#src/lib/trpc.ts'
import { QueryResult } from '#src/ui/admin/QueryResult.tsx'
import { type Fact, Row, Rows } from '#src/ui/admin/Rows.tsx'
import { useActions } from '#src/ui/admin/useActions.tsx'
import { Button } from '#src/ui/Button.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { toast } from '#src/ui/Toast.tsx'
import { useDeletion } from '#src/ui/useDeletion.tsx'
import { FilterDialog } from './FilterDialog.tsx'
import { effectTexts, fieldTexts, kindTexts } from './filterTexts.ts'

export function FiltersScreen() {
  const query = usePrivateQuery(['filters'], (client) => client.moderation.filters.list.query())
  const { act, busyKey, alert } = useActions(query.refetch)
  const { dialog: confirmation, askToDelete } = useDeletion()
  /** `opening` resets the dialog's form */
  const [edited, setEdited] = useState<{ filter: FilterView | undefined; opening: number; open: boolean } | null>(null)

  const edit = (filter?: FilterView) => setEdited({ filter, opening: (edited?.opening ?? 0) + 1, open: true })

  function onSaved({ value }: FilterView) {
    setEdited(edited && { ...edited, open: false })
    toast(t('moderation.filterSaved', { value }))
    void query.refetch()
  }

  function askToRemove({ id, value }: FilterView) {
    const moveFocus = prepareNeighbourFocus(document.getElementById(`filter-${id}`)?.closest('li'))
    const deletion = {
      title: t('moderation.deleteFilterTitle'),
      text: t('moderation.deleteFilterText', { value }),
      verb: t('ui.delete'),
      failed: t('moderation.deleteFilterFailed'),
      done: t('moderation.filterDeleted'),
      run: async () => (await trpc()).moderation.filters.delete.mutate({ id: String(id) }),
    }
    void askToDelete(deletion, () => void query.refetch().then(moveFocus))
  }

  return (
    <div className="stack">
      <div>
        <Button variant="primary" onClick={() => edit()}>
          <Plus className="icon" />
          {t('moderation.addFilter')}
        </Button>
      </div>
      {alert}
      <QueryResult query={query} failed={t('moderation.filtersFailed')}>
        {(filters) =>
          filters.length === 0 ? (
            <EmptyState>{t('moderation.noFilters')}</EmptyState>
          ) : (
            <Rows label={t('moderation.filters')}>
              {filters.map((filter) => {
                const { id, value, enabled, createdAt: _, ...form } = filter
                const describedBy = `filter-${id}`
                return (
                  <Row
                    key={id}
                    title={<span id={describedBy}>{value}</span>}
                    text={filter.message}
                    facts={filterFacts(filter)}
                    actions={
                      <>
                        <Button
                          size="small"
                          aria-describedby={describedBy}
                          busy={busyKey === `enabled ${id}`}
                          onClick={() =>
                            act({
                              key: `enabled ${id}`,
                              run: (client) =>
                                client.moderation.filters.update.mutate({
                                  ...form,
                                  id: String(id),
                                  value,
                                  enabled: !enabled,
                                }),
                              done: enabled ? t('moderation.filterTurnedOff') : t('moderation.filterTurnedOn'),
                              failed: t('moderation.saveFilterFailed'),
                            })
                          }
                        >
                          {enabled ? t('player.turnOff') : t('player.turnOn')}
                        </Button>
                        <Button size="small" aria-describedby={describedBy} onClick={() => edit(filter)}>
                          {t('ui.edit')}
                        </Button>
                        <Button
                          size="small"
                          variant="danger"
                          aria-describedby={describedBy}
                          onClick={() => askToRemove(filter)}
                        >
                          {t('ui.delete')}
                        </Button>
                      </>
                    }
                  />
                )
              })}
            </Rows>
          )
        }
      </QueryResult>
      {edited && (
        <FilterDialog
          key={edited.opening}
          filter={edited.filter}
          open={edited.open}
          onClose={() => setEdited({ ...edited, open: false })}
          onSaved={onSaved}
        />
      )}
      {confirmation}
    </div>
  )
}

function filterFacts({ kind, fields, effect, replacement, enabled }: FilterView): Fact[] {
  const replaced: Fact[] = effect === 'replace' ? [[t('field.replacement'), replacement]] : []
  return [
    [t('moderation.kind'), kindTexts[kind]().label],
    [t('moderation.filterIn'), fields.map((field) => fieldTexts[field]().label).join(', ')],
    [t('moderation.effect'), effectTexts[effect]().label],
    ...replaced,
    [t('moderation.state'), enabled ? t('moderation.on') : t('moderation.off')],
  ]
}

import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { FilterView } from '#src/contract/filters.ts'
import { t } from '#src/i18n/t.ts'
import { usePrivateQuery } from '#src/lib/privateQuery.ts'
import { QueryRows } from '#src/ui/admin/QueryResult.tsx'
import { type Fact, Row, RowButton } from '#src/ui/admin/Rows.tsx'
import { useActions } from '#src/ui/admin/useActions.tsx'
import { Button } from '#src/ui/Button.tsx'
import { toast } from '#src/ui/Toast.tsx'
import { FilterDialog } from './FilterDialog.tsx'
import { effectTexts, fieldTexts, kindTexts } from './filterTexts.ts'

export function FiltersScreen() {
  const query = usePrivateQuery(['filters'], (client) => client.moderation.filters.list.query())
  const { action, deletion, alert, dialog } = useActions(query.refetch)
  const [editing, edit] = useState<{ filter?: FilterView } | null>(null)

  function onSaved({ value }: FilterView) {
    edit(null)
    toast(t('moderation.filterSaved', { value }))
    void query.refetch()
  }

  return (
    <div className="stack">
      <div>
        <Button variant="primary" onClick={() => edit({})}>
          <Plus className="icon" />
          {t('moderation.addFilter')}
        </Button>
      </div>
      {alert}
      <QueryRows
        query={query}
        failed={t('moderation.filtersFailed')}
        label={t('board.filters')}
        items={(filters) => filters}
        empty={t('moderation.noFilters')}
      >
        {(filter) => {
          const { id, value, enabled, createdAt: _, ...form } = filter
          return (
            <Row
              key={id}
              title={value}
              text={filter.message}
              facts={filterFacts(filter)}
              actions={
                <>
                  <RowButton
                    {...action({
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
                    })}
                  >
                    {enabled ? t('player.turnOff') : t('player.turnOn')}
                  </RowButton>
                  <RowButton onClick={() => edit({ filter })}>{t('ui.edit')}</RowButton>
                  <RowButton
                    variant="danger"
                    {...deletion({
                      title: t('moderation.deleteFilterTitle'),
                      text: t('moderation.deleteFilterText', { value }),
                      failed: t('moderation.deleteFilterFailed'),
                      done: t('moderation.filterDeleted'),
                      run: (client) => client.moderation.filters.delete.mutate({ id: String(id) }),
                    })}
                  >
                    {t('ui.delete')}
                  </RowButton>
                </>
              }
            />
          )
        }}
      </QueryRows>
      {editing && <FilterDialog filter={editing.filter} onClose={() => edit(null)} onSaved={onSaved} />}
      {dialog}
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

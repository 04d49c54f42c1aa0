import { ArrowDown, ArrowUp, Plus } from 'lucide-react'
import { type ComponentType, useState } from 'react'
import { type BoardView, boardPath } from '#src/contract/board.ts'
import { t } from '#src/i18n/t.ts'
import { usePrivateQuery } from '#src/lib/privateQuery.ts'
import { QueryRows } from '#src/ui/admin/QueryResult.tsx'
import { Row, RowButton } from '#src/ui/admin/Rows.tsx'
import { useActions } from '#src/ui/admin/useActions.tsx'
import { Button } from '#src/ui/Button.tsx'
import { IconButton } from '#src/ui/IconButton.tsx'
import { BoardSettingsDialog } from './BoardSettingsDialog.tsx'
import { ModeratorsDialog } from './ModeratorsDialog.tsx'
import styles from './screens.module.css'

type OpenDialog = { kind: 'settings' | 'moderators'; board: BoardView } | { kind: 'create' }
type CreateDialog = ComponentType<{ open: boolean; onClose: () => void; onCreated: () => void }>

/** @param CreateDialog the dialog of the public list of boards */
export function BoardsScreen({ CreateDialog }: { CreateDialog: CreateDialog }) {
  const query = usePrivateQuery(['boards'], async (client) => (await client.board.list.query()).boards)
  const { action, deletion, isBusy, alert, dialog: confirmation } = useActions(query.refetch)
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const close = () => setDialog(null)
  const refetch = () => void query.refetch()

  const move = ({ id }: BoardView, by: -1 | 1) =>
    action({
      key: `move ${id}`,
      run: (client) => client.board.move.mutate({ boardId: id, by }),
      done: by < 0 ? t('admin.movedUp', { id }) : t('admin.movedDown', { id }),
      failed: t('admin.boardFailed'),
    })

  return (
    <div className="stack">
      <div className={`cluster ${styles.bar}`}>
        <Button variant="primary" onClick={() => setDialog({ kind: 'create' })}>
          <Plus className="icon" />
          {t('board.createBoard')}
        </Button>
      </div>
      {alert}
      <QueryRows
        query={query}
        failed={t('board.loadBoards')}
        label={t('admin.boards')}
        items={(boards) => boards}
        empty={t('board.noBoards')}
      >
        {(board, index, boards) => {
          const { id, name, description, rules, threadLimit, moderators } = board
          return (
            <Row
              key={id}
              title={
                <>
                  <a href={boardPath(id)}>/{id}/</a> {name}
                </>
              }
              text={description}
              facts={[
                [t('admin.moderators'), moderators.length > 0 ? moderators.join(', ') : t('ui.none')],
                [t('field.rules'), t('admin.ruleLines', { count: countLines(rules) })],
                [t('admin.threadLimit'), threadLimit === 0 ? t('ui.none') : String(threadLimit)],
              ]}
              actions={
                <>
                  <IconButton
                    icon={ArrowUp}
                    label={t('admin.moveUp', { id })}
                    disabled={index === 0 || isBusy}
                    onClick={move(board, -1).onClick}
                  />
                  <IconButton
                    icon={ArrowDown}
                    label={t('admin.moveDown', { id })}
                    disabled={index === boards.length - 1 || isBusy}
                    onClick={move(board, 1).onClick}
                  />
                  <RowButton onClick={() => setDialog({ kind: 'settings', board })}>{t('ui.edit')}</RowButton>
                  <RowButton onClick={() => setDialog({ kind: 'moderators', board })}>
                    {t('admin.moderators')}
                  </RowButton>
                  <RowButton
                    variant="danger"
                    {...deletion({
                      title: t('board.deleteBoardTitle', { board: id }),
                      text: t('admin.deleteBoardText', { name }),
                      failed: t('board.deleteBoardFailed'),
                      done: t('board.boardDeleted'),
                      typed: id,
                      run: (client) => client.board.delete.mutate({ boardId: id }),
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
      <CreateDialog open={dialog?.kind === 'create'} onClose={close} onCreated={refetch} />
      {dialog?.kind === 'settings' && (
        <BoardSettingsDialog key={dialog.board.id} board={dialog.board} onClose={close} onChanged={refetch} />
      )}
      {dialog?.kind === 'moderators' && (
        <ModeratorsDialog
          board={query.data?.find(({ id }) => id === dialog.board.id) ?? dialog.board}
          onClose={close}
          onChanged={query.refetch}
        />
      )}
      {confirmation}
    </div>
  )
}

const countLines = (rules: string): number => (rules === '' ? 0 : rules.split('\n').length)

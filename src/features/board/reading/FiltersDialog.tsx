import { Download, Plus, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { type ReaderFilter, readerFilterLimits } from '#src/contract/readerFilters.ts'
import { t } from '#src/i18n/t.ts'
import { downloadFile } from '#src/lib/downloadFile.ts'
import { focusInView } from '#src/lib/focus.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { Button } from '#src/ui/Button.tsx'
import { Checkbox } from '#src/ui/Checkbox.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import { Field, Select, TextInput } from '#src/ui/Field.tsx'
import { FileButton } from '#src/ui/FileButton.tsx'
import { IconButton } from '#src/ui/IconButton.tsx'
import { toast } from '#src/ui/Toast.tsx'
import { quotesInPlace } from './quoteStores.ts'
import {
  addFilter,
  exportFilters,
  importFilters,
  isFilterValue,
  readerFilters,
  removeFilter,
  unhideAll,
} from './readerFilterStore.ts'
import styles from './reading.module.css'

type FiltersDialogProps = { open: boolean; onClose: () => void; boardId: string | undefined }

/** Manages the hidden posts and the filters of this browser. */
export function FiltersDialog({ open, onClose, boardId }: FiltersDialogProps) {
  const { hidden, filters } = readerFilters.useValue()
  const isInPlace = quotesInPlace.useValue()
  const [kind, setKind] = useState<ReaderFilter['kind']>('words')
  const [value, setValue] = useState('')
  const [isEverywhere, setIsEverywhere] = useState(true)
  const [refusal, setRefusal] = useState<string | null>(null)
  const input = useRef<HTMLInputElement>(null)

  function submit() {
    const filter = { kind, value: value.trim(), boardId: isEverywhere ? null : (boardId ?? null) }
    const error = isFilterValue(filter.value) ? addFilter(filter) : t('board.readerFilterValue')
    setRefusal(error)
    focusInView(input.current)
    if (error === null) setValue('')
  }

  async function readFile(chosen: File) {
    const isSmall = chosen.size <= readerFilterLimits.fileBytes
    const error = isSmall ? importFilters(await chosen.text()) : t('board.readerFilterFile')
    setRefusal(error)
    if (error === null) toast(t('board.filtersImported'))
  }

  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('board.filtersTitle')}
      lead={t('board.filtersLead')}
      onSubmit={submit}
      foot={<Button onClick={onClose}>{t('ui.close')}</Button>}
    >
      {refusal !== null && <Alert>{refusal}</Alert>}
      <Field label={t('board.hidePosts')} hint={t('board.hidePostsHint')}>
        <div className={`cluster ${styles.add}`}>
          <TextInput
            ref={input}
            value={value}
            placeholder={kind === 'name' ? t('board.filterName') : t('board.filterWords')}
            maxLength={readerFilterLimits.value}
            autoComplete="off"
            autoCapitalize="off"
            onChange={({ target }) => setValue(target.value)}
          />
          <Button variant="primary" type="submit">
            <Plus className="icon" />
            {t('board.addFilter')}
          </Button>
        </div>
      </Field>
      <div className={styles.selects}>
        <Field label={t('board.looksAt')}>
          <Select value={kind} onChange={({ target }) => setKind(target.value as ReaderFilter['kind'])}>
            <option value="words">{t('board.titleAndText')}</option>
            <option value="name">{t('field.name')}</option>
          </Select>
        </Field>
        {boardId !== undefined && (
          <Field label={t('board.filterOn')}>
            <Select
              value={isEverywhere ? 'all' : 'board'}
              onChange={({ target }) => setIsEverywhere(target.value === 'all')}
            >
              <option value="all">{t('ui.allBoards')}</option>
              <option value="board">{`/${boardId}/`}</option>
            </Select>
          </Field>
        )}
      </div>
      {filters.length > 0 && (
        <ul className={`ruled ${styles.filters}`} aria-label={t('board.filters')}>
          {filters.map((filter) => (
            <li key={JSON.stringify(filter)}>
              <span dir="auto">{filter.value}</span>
              <span className="data">
                {filter.kind === 'name' ? t('board.kindName') : t('board.kindWords')} ·{' '}
                {filter.boardId === null ? t('board.everywhere') : `/${filter.boardId}/`}
              </span>
              <IconButton
                icon={Trash2}
                danger
                label={t('board.deleteFilter', { filter: filter.value })}
                onClick={() => {
                  removeFilter(filter)
                  focusInView(input.current)
                }}
              />
            </li>
          ))}
        </ul>
      )}
      <div className={`cluster ${styles.kept}`}>
        <p>{t('board.hiddenCount', { count: hidden.length })}</p>
        {hidden.length > 0 && (
          <Button size="small" onClick={unhideAll}>
            {t('board.showAllAgain')}
          </Button>
        )}
        <Button size="small" onClick={() => downloadFile('dtpchan-filters.json', exportFilters(), 'application/json')}>
          <Download className="icon icon-s" />
          {t('board.export')}
        </Button>
        <FileButton label={t('show.import')} accept="application/json,.json" onFile={(file) => void readFile(file)} />
      </div>
      <label className="choice">
        <Checkbox checked={isInPlace} onChange={({ target }) => quotesInPlace.change(() => target.checked)} />
        {t('board.quotesInPlace')}
      </label>
    </Dialog>
  )
}

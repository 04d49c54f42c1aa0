import { ExternalLink, Lock } from 'lucide-react'
import type { SubmittedForm } from '#src/contract/forms.ts'
import { type CreatedPaste, PASTE_CALL, pasteLanguages } from '#src/contract/paste.ts'
import { t } from '#src/i18n/t.ts'
import { Alert, useAlertFocus } from '#src/ui/Alert.tsx'
import { Button, ButtonLink } from '#src/ui/Button.tsx'
import { Choice } from '#src/ui/Checkbox.tsx'
import { ExpiryField } from '#src/ui/ExpiryField.tsx'
import { Field, Select, TextArea, TextInput } from '#src/ui/Field.tsx'
import { useHydrated } from '#src/ui/hydration.ts'
import { MultipartForm } from '#src/ui/MultipartForm.tsx'
import { RefusalText } from '#src/ui/RefusalText.tsx'
import { ResultPanel } from '#src/ui/ResultPanel.tsx'
import { Scripted } from '#src/ui/Scripted.tsx'
import { canEncrypt } from './browserCrypto.ts'
import styles from './paste.module.css'
import { QrButton } from './QrButton.tsx'
import { type Draft, usePasteForm } from './usePasteForm.ts'

type PasteFormProps = { submitted: SubmittedForm | null; idempotencyKey: string }

/** Works without script: the browser sends the form, and the server answers with this page. */
export function PasteForm({ submitted, idempotencyKey }: PasteFormProps) {
  const { draft, change, error, dismiss, busy, created, submit } = usePasteForm(submitted)
  const alert = useAlertFocus(error)
  const isEmpty = useHydrated() && draft.content === ''

  return (
    <div className="stack">
      {error && (
        <Alert ref={alert} onDismiss={dismiss}>
          <RefusalText refusal={error} />
        </Alert>
      )}
      {created && <PasteResult paste={created} />}
      <MultipartForm className="stack" action={PASTE_CALL} onSubmit={submit} noValidate>
        <input type="hidden" name="idempotencyKey" value={idempotencyKey} />
        <Field label={t('field.content')}>
          <TextArea
            className={styles.content}
            mono
            rows={8}
            name="content"
            spellCheck={false}
            placeholder={t('paste.contentPlaceholder')}
            value={draft.content}
            onChange={(event) => change({ content: event.target.value })}
          />
        </Field>
        <div className={styles.pair}>
          <ExpiryField value={draft.expiryHours} onChange={(expiryHours) => change({ expiryHours })} />
          <Field label={t('paste.language')}>
            <Select
              name="language"
              value={draft.encrypted ? 'plain' : draft.language}
              disabled={draft.encrypted}
              onChange={(event) => change({ language: event.target.value as Draft['language'] })}
            >
              <option value="">{t('paste.detectLanguage')}</option>
              <option value="plain">{t('paste.plainText')}</option>
              {Object.entries(pasteLanguages).map(([value, name]) => (
                <option key={value} value={value}>
                  {name}
                </option>
              ))}
            </Select>
          </Field>
        </div>
        <PasteSwitches draft={draft} change={change} />
        {draft.encrypted && (
          <Field label={t('paste.passwordOptional')} hint={t('paste.passwordHint')}>
            <TextInput
              type="password"
              name="paste-password"
              autoComplete="new-password"
              value={draft.password}
              onChange={(event) => change({ password: event.target.value })}
            />
          </Field>
        )}
        <Button native className={styles.submit} variant="primary" type="submit" busy={busy} disabled={isEmpty}>
          {!busy && <Lock className="icon" />}
          {busy ? t('paste.creating') : t('paste.create')}
        </Button>
      </MultipartForm>
    </div>
  )
}

function PasteResult({ paste }: { paste: CreatedPaste }) {
  return (
    <ResultPanel
      noun="paste"
      result={paste}
      message={t('paste.created')}
      urlLabel={t('paste.url')}
      copyLabel={t('paste.copyUrl')}
    >
      <ButtonLink href={paste.url} target="_blank" rel="noopener">
        <ExternalLink className="icon" />
        {t('ui.view')}
      </ButtonLink>
      <QrButton readUrl={() => paste.url} />
    </ResultPanel>
  )
}

type PasteSwitchesProps = { draft: Draft; change: (patch: Partial<Draft>) => void }

function PasteSwitches({ draft, change }: PasteSwitchesProps) {
  const isHydrated = useHydrated()
  const able = !isHydrated || canEncrypt()
  return (
    <fieldset className={styles.switches}>
      <legend className="visually-hidden">{t('paste.reading')}</legend>
      <Choice
        className={styles.switch}
        label={t('paste.burnAfterReading')}
        hint={t('paste.burnHint')}
        name="burnAfterReading"
        checked={draft.burnAfterReading}
        onChange={(burnAfterReading) => change({ burnAfterReading })}
      />
      <Scripted>
        <Choice
          className={styles.switch}
          label={t('paste.encrypt')}
          hint={able ? t('paste.encryptHint') : t('paste.encryptNeedsHttps')}
          checked={draft.encrypted}
          // Before hydration, the browser would send the text as it is.
          disabled={!isHydrated || !able}
          onChange={(encrypted) => change({ encrypted })}
        />
      </Scripted>
    </fieldset>
  )
}

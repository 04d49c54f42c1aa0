import { type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import type { AuthUser } from '#src/contract/auth.ts'
import { boardLimits } from '#src/contract/board.ts'
import { IMAGE_TYPES, MAX_POST_IMAGES } from '#src/contract/image.ts'
import { linksToJson } from '#src/contract/links.ts'
import { capcodesOf } from '#src/contract/post.ts'
import type { PostFormPlace } from '#src/contract/thread.ts'
import { rich, t } from '#src/i18n/t.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { Checkbox } from '#src/ui/Checkbox.tsx'
import { counterIfNearLimit, Field, Select, TextArea, TextInput } from '#src/ui/Field.tsx'
import { FilePicker } from '#src/ui/FilePicker.tsx'
import { RefusalText } from '#src/ui/RefusalText.tsx'
import { useSite } from '#src/ui/site.ts'
import { useIncomingFiles } from '#src/ui/useIncomingFiles.ts'
import { ChosenImages } from './ChosenImages.tsx'
import styles from './PostDialog.module.css'
import type { Post } from './usePost.ts'

/** The board of the form, and who writes. */
export type PostedOn = { board: PostFormPlace['board']; user: AuthUser | null }
type PostFieldsProps = {
  post: Post
  on: PostedOn
  /** The server refused the form with its pictures, and the browser cannot choose them again. */
  lostImage?: boolean
  /** The form has a page of its own: nothing is folded, and works without script. */
  isPage?: boolean
}

const code = (text: ReactNode) => <code translate="no">{text}</code>

/** The text comes first. What most posts do not need folds under one line where the form is a sheet. */
export function PostFields({ post, on: { board, user }, lostImage, isPage = false }: PostFieldsProps) {
  const { draft, name, refusal, location, fieldProps } = post
  const over = useIncomingFiles(post.addImages)
  const hintsId = useId()
  const [isUnfolded] = useState(() => isPage || matchMedia('(min-width: 71.3125rem)').matches)
  const { title, content, links, sage } = draft.texts
  const count = post.chosen.images.length

  return (
    <>
      {location.kind === 'thread' && (
        <Field label={t('field.title')} counter={counterIfNearLimit(title, boardLimits.title)}>
          <TextInput
            {...fieldProps('title')}
            required
            autoComplete="off"
            value={title}
            onChange={(event) => draft.change({ title: event.target.value })}
          />
        </Field>
      )}
      <Field label={t('field.content')} counter={{ text: content, max: boardLimits.content }}>
        <TextArea
          {...fieldProps('content')}
          required
          rows={5}
          aria-describedby={hintsId}
          value={content}
          onKeyDown={submitOnEnter}
          onChange={(event) => draft.change({ content: event.target.value })}
        />
      </Field>
      <Field label={t('field.username')}>
        <TextInput
          {...fieldProps('author')}
          required={board.defaultName === ''}
          placeholder={board.defaultName || undefined}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          aria-describedby={hintsId}
          value={name.texts.author}
          onChange={(event) => name.change({ author: event.target.value })}
        />
      </Field>
      {capcodesOf(user, board).length > 0 && (
        <Field label={t('board.signAs')}>
          <Select value={post.capcode} onChange={({ target }) => post.sign(target.value)}>
            <option value="">{t('board.signNone')}</option>
            {capcodesOf(user, board).map((capcode) => (
              <option key={capcode} value={capcode}>
                {capcode === 'admin' ? t('board.capcodeAdmin') : t('board.capcodeMod')}
              </option>
            ))}
          </Select>
        </Field>
      )}
      <Field
        label={t('image.upload')}
        error={refusal?.field === 'image' ? refusal.text : lostImage && count === 0 ? t('board.lostImage') : null}
      >
        <ChosenImages images={post.chosen.images} onRemove={post.removeImage} />
        <FilePicker
          name="image"
          file={null}
          multiple
          over={over}
          onChange={post.addImages}
          accept={IMAGE_TYPES.join(',')}
          hint={t('board.imageHint', { count: MAX_POST_IMAGES })}
        />
      </Field>
      <details className={`disclosure ${styles.more}`} open={isUnfolded}>
        <summary>
          {t('board.moreFields')} {count > 1 && <span className="data">{t('board.imagesChosen', { count })}</span>}
        </summary>
        <Rules rules={board.rules} />
        <div id={hintsId}>
          <p className="hint">{rich('board.contentHint', { code })}</p>
          <p className="hint">{rich('board.usernameHint', { code })}</p>
          <p className="hint">{t('board.postedWithoutAccount')}</p>
        </div>
        <Field label={t('field.links')} hint={t('board.linksHint')}>
          <TextInput
            {...fieldProps('links')}
            mono
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={links}
            onChange={(event) => draft.change({ links: event.target.value })}
            onBlur={() => linksToJson(links) !== links && draft.change({ links: linksToJson(links) })}
          />
        </Field>
        {location.kind !== 'thread' && (
          <label className="choice">
            <Checkbox
              name="sage"
              value="true"
              checked={sage === 'true'}
              onChange={({ target }) => draft.change({ sage: target.checked ? 'true' : '' })}
            />
            <span>{rich('board.doNotBump', { hint: (text) => <span className="hint">{text}</span> })}</span>
          </label>
        )}
      </details>
    </>
  )
}

/** Shows the posting rules of the site and of a board. */
function Rules({ rules }: { rules: string }) {
  const { postingRules } = useSite()
  const lines = [postingRules ?? '', rules].join('\n').split('\n').filter(Boolean)
  if (lines.length === 0) return null
  return (
    <details className={`accordion ${styles.rules}`} open>
      <summary className="label">{rules ? t('board.boardRules') : t('field.rules')}</summary>
      {lines.map((rule, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines have no other identity
        <p key={index}>{rule}</p>
      ))}
    </details>
  )
}

/** Says why the post was refused. */
export function PostRefusal({ post: { refusal, isFocused } }: { post: Post }) {
  return (
    refusal && (
      // biome-ignore lint/a11y/noAutofocus: only on the page that refuses a form
      <div className={styles.notice} tabIndex={-1} autoFocus={isFocused(null)}>
        <Alert key={refusal.attempt}>
          <RefusalText refusal={refusal} />
        </Alert>
      </div>
    )
  )
}

function submitOnEnter(event: KeyboardEvent<HTMLTextAreaElement>) {
  const isShortcut = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
  // Input methods use Enter to choose a word.
  if (isShortcut && !event.nativeEvent.isComposing) event.currentTarget.form?.requestSubmit()
}

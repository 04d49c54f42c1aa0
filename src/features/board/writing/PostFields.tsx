import type { KeyboardEvent, ReactNode, RefObject } from 'react'
import type { AuthUser } from '#src/contract/auth.ts'
import { boardLimits } from '#src/contract/board.ts'
import { IMAGE_TYPES, MAX_POST_IMAGES } from '#src/contract/image.ts'
import { linksToJson } from '#src/contract/links.ts'
import { capcodesOf } from '#src/contract/post.ts'
import type { PostFormPlace } from '#src/contract/thread.ts'
import { rich, t } from '#src/i18n/t.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { Checkbox } from '#src/ui/Checkbox.tsx'
import { counterIfNearLimit, Field, TextArea, TextInput } from '#src/ui/Field.tsx'
import { FilePicker } from '#src/ui/FilePicker.tsx'
import { RefusalText } from '#src/ui/RefusalText.tsx'
import { Select } from '#src/ui/Select.tsx'
import { useIncomingFiles } from '#src/ui/useIncomingFiles.ts'
import { CaptchaField } from './CaptchaField.tsx'
import { ChosenImages } from './ChosenImages.tsx'
import styles from './PostDialog.module.css'
import type { Post, PostField } from './usePost.ts'

export type FieldElements = Partial<Record<PostField, HTMLInputElement | HTMLTextAreaElement | null>>
/** The board of the form, and who writes. */
export type PostedOn = { board: PostFormPlace['board']; user: AuthUser | null }
type PostFieldsProps = {
  post: Post
  on: PostedOn
  titled: boolean
  elements: RefObject<FieldElements>
  /** The server rendered the form, so the browser moves the focus to the refusal or the refused field. */
  isServed?: boolean
  /** The server refused the form with its pictures, and the browser cannot choose them again. */
  lostImage?: boolean
}

const code = (text: ReactNode) => <code>{text}</code>

export function PostFields({ post, on: { board, user }, titled, elements, isServed, lostImage }: PostFieldsProps) {
  const { draft, name, refusal } = post
  const over = useIncomingFiles(post.addImages)
  const { title, content, links, sage } = draft.texts
  /** Works before the page's script. Later refusals move the focus themselves. */
  const isFocused = (key: PostField | null) =>
    (isServed && refusal?.attempt === 0 && refusal.field === key) || undefined
  const field = (key: PostField) => ({
    ref: (element: HTMLInputElement | HTMLTextAreaElement | null) => {
      elements.current[key] = element
    },
    name: key,
    'aria-invalid': refusal?.field === key || undefined,
  })

  return (
    <>
      {refusal && (
        // biome-ignore lint/a11y/noAutofocus: only on the page that refuses a form
        <div className={styles.notice} tabIndex={-1} autoFocus={isFocused(null)}>
          <Alert key={refusal.attempt}>
            <RefusalText refusal={refusal} />
          </Alert>
        </div>
      )}
      {titled && (
        <Field label={t('board.title')} counter={counterIfNearLimit(title, boardLimits.title)}>
          <TextInput
            {...field('title')}
            required
            autoComplete="off"
            value={title}
            onChange={(event) => draft.change({ title: event.target.value })}
          />
        </Field>
      )}
      <Field
        label={t('board.content')}
        counter={{ text: content, max: boardLimits.content }}
        hint={rich('board.contentHint', { code })}
      >
        <TextArea
          {...field('content')}
          required
          rows={5}
          value={content}
          onKeyDown={submitOnEnter}
          onChange={(event) => draft.change({ content: event.target.value })}
        />
      </Field>
      <div className={styles.pair}>
        <Field label={t('board.username')} hint={rich('board.usernameHint', { code })}>
          <TextInput
            {...field('author')}
            required={board.defaultName === ''}
            placeholder={board.defaultName || undefined}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={name.texts.author}
            onChange={(event) => name.change({ author: event.target.value })}
          />
        </Field>
        <CaptchaField
          captcha={post.captcha}
          invalid={refusal?.field === 'captchaAnswer'}
          autoFocus={isFocused('captchaAnswer')}
          inputRef={(element) => {
            elements.current.captchaAnswer = element
          }}
        />
      </div>
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
      <Field label={t('board.links')} hint={t('board.linksHint')}>
        <TextInput
          {...field('links')}
          mono
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={links}
          onChange={(event) => draft.change({ links: event.target.value })}
          onBlur={() => linksToJson(links) !== links && draft.change({ links: linksToJson(links) })}
        />
      </Field>
      {!titled && (
        <label className={styles.sage}>
          <Checkbox
            name="sage"
            value="true"
            checked={sage !== ''}
            onChange={({ target }) => draft.change({ sage: target.checked ? 'true' : '' })}
          />
          <span>{rich('board.doNotBump', { hint: (text) => <span className="hint">{text}</span> })}</span>
        </label>
      )}
      <Field
        label={t('board.uploadImage')}
        error={
          refusal?.field === 'image'
            ? refusal.text
            : lostImage && post.chosen.images.length === 0
              ? t('board.lostImage')
              : null
        }
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
    </>
  )
}

function submitOnEnter(event: KeyboardEvent<HTMLTextAreaElement>) {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit()
}

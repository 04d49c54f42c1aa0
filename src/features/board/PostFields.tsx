import type { KeyboardEvent, RefObject } from 'react'
import { boardLimits } from '#src/contract/board.ts'
import { IMAGE_TYPES, MAX_POST_IMAGES } from '#src/contract/image.ts'
import { linksToJson } from '#src/contract/links.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { Checkbox } from '#src/ui/Checkbox.tsx'
import { counterIfNearLimit, Field, TextArea, TextInput } from '#src/ui/Field.tsx'
import { FilePicker } from '#src/ui/FilePicker.tsx'
import { RefusalText } from '#src/ui/RefusalText.tsx'
import { useIncomingFiles } from '#src/ui/useIncomingFiles.ts'
import { CaptchaField } from './CaptchaField.tsx'
import { ChosenImages } from './ChosenImages.tsx'
import styles from './PostDialog.module.css'
import type { Post, PostField } from './usePost.ts'

export type FieldElements = Partial<Record<PostField, HTMLInputElement | HTMLTextAreaElement | null>>
type PostFieldsProps = {
  post: Post
  titled: boolean
  elements: RefObject<FieldElements>
  /** The server rendered the form, so the browser moves the focus to the refusal or the refused field. */
  isServed?: boolean
  /** The server refused the form with its pictures, and the browser cannot choose them again. */
  lostImage?: boolean
}

const LOST_IMAGE = 'The page cannot keep pictures. Please choose them again.'

export function PostFields({ post, titled, elements, isServed, lostImage }: PostFieldsProps) {
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
        <Field label="Title" counter={counterIfNearLimit(title, boardLimits.title)}>
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
        label="Content"
        counter={{ text: content, max: boardLimits.content }}
        hint={
          <>
            <code>&gt;quote</code> for greentext, <code>&gt;&gt;123</code> to link a post,{' '}
            <code>[spoiler]…[/spoiler]</code> to hide, <code>`code`</code>, and <code>```</code> on the lines around
            more code
          </>
        }
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
        <Field
          label="Username"
          hint={
            <>
              <code>nick##secret</code> adds a code of your secret
            </>
          }
        >
          <TextInput
            {...field('author')}
            required
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
      <Field label="Links" hint="Optional. One or more URLs, or a JSON array.">
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
          <span>
            Do not bump <span className="hint">The thread keeps its place in the list.</span>
          </span>
        </label>
      )}
      <Field
        label="Upload Image"
        error={
          refusal?.field === 'image' ? refusal.text : lostImage && post.chosen.images.length === 0 ? LOST_IMAGE : null
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
          hint={`Up to ${MAX_POST_IMAGES}, 5 MB each`}
        />
      </Field>
    </>
  )
}

function submitOnEnter(event: KeyboardEvent<HTMLTextAreaElement>) {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit()
}

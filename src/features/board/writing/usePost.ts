import { useEffect, useRef, useState } from 'react'
import { boardLimits } from '#src/contract/board.ts'
import type { CaptchaChallenge } from '#src/contract/captcha.ts'
import type { FormRefusal } from '#src/contract/forms.ts'
import { linksToJson } from '#src/contract/links.ts'
import { EMPTY_DRAFT, type PostDraft, type PostView } from '#src/contract/post.ts'
import type { PostFormPlace } from '#src/contract/thread.ts'
import { t } from '#src/i18n/t.ts'
import type { TextKey } from '#src/i18n/types.ts'
import { useDraft } from '#src/lib/draft.ts'
import { focusInView } from '#src/lib/focus.ts'
import { useMutation, useUnmountSignal } from '#src/lib/reactQuery.ts'
import { postForm, UploadError } from '#src/lib/upload.ts'
import { toast } from '#src/ui/Toast.tsx'
import { useChosenImages } from './ChosenImages.tsx'
import { addOwnPost } from './ownPosts.ts'
import { postFormTexts } from './postFormTexts.tsx'
import { draftKey, type PostLocation, postUrl, threadOf } from './postLocation.ts'
import { useCaptcha } from './useCaptcha.ts'

type PostField = keyof PostDraft | 'author' | 'captchaAnswer' | 'image'
const POST_FIELDS = [...Object.keys(EMPTY_DRAFT), 'author', 'captchaAnswer', 'image'] as PostField[]
/** A new `attempt` makes screen readers announce the same refusal again. `isSent` moves the focus to the field. */
type PostRefusal = FormRefusal & { field: PostField | null; attempt: number; isSent: boolean }
type AnsweredPost = Omit<PostView, 'createdAt'> & { createdAt: string }
type Answer = Partial<Record<PostLocation['kind'], AnsweredPost>> & {
  deleteToken?: string
  held?: true
  heldUntil?: string | null
}

/** Not for the server, which renders the form. */
const importStore = () => import('#src/features/board/watching/watchStore.ts')

/** The entry may contain the secret behind the name. */
const NAME_KEY = 'dtpchan_username'
/**
 * The captcha stays for the next try, unless the server answered that it refused the post. Without an answer, the post
 * may be stored: the same form with the same captcha then gets the answer of the first try.
 */
const isRefused = (status: number) => status >= 400 && status < 500 && status !== 429
/** After these errors, the visitor can send the image again with the same captcha. */
const RETRIED: readonly (TextKey | null)[] = ['image.busy', 'image.tooSlow', 'limit.imagesFull']

/** The form in the server's HTML: empty, or as the browser sent it without script. */
export type ServedForm = {
  draft: PostDraft
  author: string
  /** null if it could not be created, for example because of the rate limit */
  challenge: CaptchaChallenge | null
  refusal: FormRefusal | null
}

/**
 * @param given the first location; its thread must not change, because the thread has one draft
 * @param onPosted receives null for a post that waits for a review; not called after the form is unmounted
 * @param served set if the server renders the form
 * @param board where the post goes: its thread can move. Posts need a name if `defaultName` is empty
 */
export function usePost(
  given: PostLocation,
  onPosted: (post: PostView | null, location: PostLocation) => void,
  { id: boardId, defaultName }: Pick<PostFormPlace['board'], 'id' | 'defaultName'>,
  served?: ServedForm,
) {
  const [location, setLocation] = useState(given)
  const texts = postFormTexts[location.kind]()
  const form = useRef<HTMLFormElement>(null)
  const draft = useDraft(draftKey(given), EMPTY_DRAFT, served?.draft)
  const name = useDraft(NAME_KEY, { author: '' }, served && { author: served.author })
  /** Not in the draft: each signature is chosen. */
  const [capcode, sign] = useState('')
  const captcha = useCaptcha(served?.challenge)
  const [refusal, setRefusal] = useState<PostRefusal | null>(
    served?.refusal ? { ...served.refusal, field: findField(served.refusal), attempt: 0, isSent: true } : null,
  )
  const chosen = useChosenImages(showImageRefusal)
  /** how much of the form is sent, from 0 to 1; null while idle */
  const [progress, setProgress] = useState<number | null>(null)
  const sending = useRef<AbortController>(null)
  const unmountSignal = useUnmountSignal()
  const posting = useMutation({
    mutationFn: async ({ data, signal, to }: { data: FormData; signal: AbortSignal; to: PostLocation }) => {
      const proof = await captcha.readProof()
      if (proof) data.set('proofOfWork', proof)
      return postForm<Answer>(postUrl(to), data, setProgress, signal)
    },
    // The visitor can change what the form answers while it is sent.
    onSuccess: (answer, { data, to }) => {
      captcha.clear()
      draft.clear()
      chosen.clear()
      sign('')
      const answered = answer[to.kind]
      const post = answered ? { ...answered, createdAt: new Date(answered.createdAt) } : null
      if (answered && answer.deleteToken) {
        const { boardId } = to
        const { id, author, content, createdAt } = answered
        const threadId = to.kind === 'thread' ? id : to.threadId
        const title = String(data.get('title') ?? '')
        addOwnPost({
          ...{ id, token: answer.deleteToken, threadId, boardId },
          ...(to.kind === 'reply' && { commentId: to.commentId }),
          ...(answer.held && { held: { title, author, content, createdAt, heldUntil: answer.heldUntil ?? null } }),
        })
        // Without this code, the post is not followed for replies.
        void importStore().then(
          (store) => store.followOwnPost({ id, boardId, threadId, title }),
          () => {},
        )
      }
      if (post && answer.held) {
        toast(t('board.waitsForReview'))
        if (!unmountSignal()?.aborted) onPosted(null, to)
        return
      }
      toast(postFormTexts[to.kind]().done)
      if (post && !unmountSignal()?.aborted) onPosted(post, to)
    },
    onError: (error, { signal }) => {
      if (!signal.aborted) fail(error)
    },
    onSettled: () => setProgress(null),
  })

  useEffect(() => {
    if (!refusal?.isSent || !refusal.field) return
    const element = form.current?.elements.namedItem(refusal.field)
    if (!(element instanceof HTMLElement)) return
    element.closest('details')?.setAttribute('open', '')
    // The foot is always in view; its place in the form is not.
    if (element.closest('footer')) element.focus({ preventScroll: true })
    else focusInView(element)
  }, [refusal])

  const refuse = (text: string, field: PostField | null, appealToken: string | null = null, isSent = true) =>
    setRefusal((before) => ({ text, field, appealToken, isSent, attempt: (before?.attempt ?? 0) + 1 }))

  function showImageRefusal(text: string | null) {
    if (text !== null) refuse(text, 'image', null, false)
    else setRefusal((before) => (before?.field === 'image' ? null : before))
  }

  const addImages = (files: File[]) => {
    if (progress === null) void chosen.add(files)
  }
  const removeImage = (id: number) => {
    if (progress === null) chosen.remove(id)
  }

  /** Finds what is missing before the pictures are sent. The server checks everything. */
  function findMissing(): [text: string, field: PostField] | null {
    const isBlank = (text: string) => text.trim() === ''
    const required = location.kind === 'thread' ? t('board.threadRequired') : t('board.contentRequired')
    if (location.kind === 'thread' && isBlank(draft.texts.title)) return [required, 'title']
    if (isBlank(draft.texts.content)) return [required, 'content']
    const author = name.texts.author.trim()
    if (author.length < boardLimits.authorMin && (author !== '' || defaultName === ''))
      return [t('board.authorRequired'), 'author']
    if (isBlank(captcha.answer)) return [t('board.captchaRequired'), 'captchaAnswer']
    return chosen.fault === null ? null : [chosen.fault, 'image']
  }

  function send() {
    if (progress !== null) return
    const missing = findMissing()
    if (missing) return refuse(...missing)
    const links = linksToJson(draft.texts.links)
    const data = new FormData()
    for (const [field, value] of Object.entries({ ...draft.texts, links, capcode }))
      if (value.trim() !== '') data.set(field, value)
    data.set('author', name.texts.author)
    data.set('challengeId', captcha.challenge?.challengeId ?? '')
    data.set('captchaAnswer', captcha.answer)
    for (const { file } of chosen.images) data.append('image', file)
    setRefusal(null)
    setProgress(0)
    sending.current = new AbortController()
    posting.mutate({ data, signal: sending.current.signal, to: { ...location, boardId } })
  }

  /** Keeps all fields. Loads a new captcha if the server refused the post, which uses up the captcha. */
  function fail(error: unknown) {
    const { text, code, field, appealToken, status } = error instanceof UploadError ? error : new UploadError(null, 0)
    const isSpent = isRefused(status) && field === null && !RETRIED.includes(code)
    if (isSpent) captcha.load()
    if (location.kind === 'reply' && code === 'board.commentNotFound') {
      setLocation(threadOf(location))
      return refuse(t('board.parentDeleted'), null)
    }
    const failed = status === 0 ? `${texts.failed}. ${t('board.offline')}` : texts.failed
    refuse(text ?? failed, findField({ code, field }), appealToken)
  }

  /** The focus works before the page's script. Later refusals move it themselves. */
  const isFocused = (field: PostField | null) =>
    (served && refusal?.attempt === 0 && refusal.field === field) || undefined
  const fieldProps = (name: PostField) => ({
    name,
    autoFocus: isFocused(name),
    // What is typed while the form is sent would be forgotten with it.
    readOnly: progress !== null,
    'aria-invalid': refusal?.field === name || undefined,
  })

  function stop() {
    sending.current?.abort()
    setRefusal(null)
  }

  return {
    location,
    setLocation,
    texts,
    form,
    draft,
    name,
    capcode,
    sign,
    captcha,
    chosen,
    addImages,
    removeImage,
    refusal,
    isFocused,
    fieldProps,
    progress,
    send,
    stop,
  }
}

/** Returns the control that the refusal is about; null if it is about none. */
function findField({ code, field }: Pick<FormRefusal, 'code' | 'field'>): PostField | null {
  if (field === 'challengeId' || code === 'board.captchaRefused') return 'captchaAnswer'
  if (code?.startsWith('image.') || code === 'limit.imagesFull') return 'image'
  return POST_FIELDS.find((name) => name === field) ?? null
}

export type Post = ReturnType<typeof usePost>

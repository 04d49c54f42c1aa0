import { navigate } from 'vike/client/router'
import type { AuthUser } from '#src/contract/auth.ts'
import { boardPath, canModerate } from '#src/contract/board.ts'
import { type PostFormPlace, threadPath } from '#src/contract/thread.ts'
import { rich, t } from '#src/i18n/t.ts'
import { isNavigating } from '#src/lib/slowNavigation.ts'
import { Button, ButtonLink } from '#src/ui/Button.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { MultipartForm } from '#src/ui/MultipartForm.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { useBoardsCrumb } from '#src/ui/site.ts'
import { Time } from '#src/ui/Time.tsx'
import { CaptchaField } from './CaptchaField.tsx'
import { PostFields, PostRefusal } from './PostFields.tsx'
import { closedText } from './PostFormLink.tsx'
import styles from './PostScreen.module.css'
import { NumberBy, postFormTexts } from './postFormTexts.tsx'
import { type PostLocation, postUrl } from './postLocation.ts'
import { type ServedForm, usePost } from './usePost.ts'

type PostScreenProps = { place: PostFormPlace; form: ServedForm & { lostImage: boolean }; user: AuthUser | null }

/** The form of a thread, comment or reply on a page of its own, for browsers without script. */
export function PostScreen({ place, form, user }: PostScreenProps) {
  const { board, thread, answered } = place
  const location = locationOf(place)
  const mayPost = thread === null || (!thread.archived && canModerate(user, board)) || form.refusal !== null
  const closed = thread && !mayPost ? closedText(thread) : null
  return (
    <div className={`wrap ${styles.page}`}>
      <PageHeader
        title={postFormTexts[location.kind]().title}
        lead={thread ? thread.title : `/${board.id}/ - ${board.name}`}
        trail={usePostFormTrail(place)}
      />
      {answered && (
        <blockquote>
          <p className="data">
            <NumberBy id={answered.id} author={answered.author} />
          </p>
          <p>{answered.preview}</p>
        </blockquote>
      )}
      {closed ? (
        <EmptyState action={<ButtonLink href={backPath(place)}>{t('board.backToThread')}</ButtonLink>}>
          {closed}
        </EmptyState>
      ) : (
        <PostForm place={place} location={location} form={form} user={user} />
      )}
    </div>
  )
}

function PostForm({ place, location, form, user }: { location: PostLocation } & PostScreenProps) {
  const back = backPath(place)
  const post = usePost(
    location,
    (made) => {
      // The visitor opens another page, which has not loaded yet.
      if (isNavigating()) return
      void navigate(
        made && place.thread === null ? threadPath(place.board.id, made.id) : made ? `${back}#p${made.id}` : back,
      )
    },
    place.board,
    form,
  )

  return (
    <MultipartForm ref={post.form} className="panel form" action={postUrl(post.location)} onSubmit={post.send}>
      <PostRefusal post={post} />
      <PostFields post={post} on={{ board: place.board, user }} lostImage={form.lostImage} isPage />
      <footer className="cluster">
        <CaptchaField post={post} />
        <ButtonLink href={back}>{t('ui.cancel')}</ButtonLink>
        <Button native variant="primary" type="submit" busy={post.progress !== null}>
          {post.texts.submit}
        </Button>
      </footer>
    </MultipartForm>
  )
}

function locationOf({ board, thread, answered }: PostFormPlace): PostLocation {
  const boardId = board.id
  if (!thread) return { kind: 'thread', boardId }
  if (!answered) return { kind: 'comment', boardId, threadId: thread.id }
  return { kind: 'reply', boardId, threadId: thread.id, commentId: answered.commentId, author: answered.author }
}

const backPath = ({ board, thread }: PostFormPlace) => (thread ? threadPath(board.id, thread.id) : boardPath(board.id))

/** A post that waits. `until` is null if it waits for a moderator. */
type HeldNotice = { id: number; until: Date | null }

/** Tells an author without script that a post waits. With script, the thread shows it to its author. */
export function HeldPostScreen({ place, held }: { place: PostFormPlace; held: HeldNotice }) {
  const { board, thread } = place
  const threadId = thread?.id ?? held.id
  return (
    <div className={`wrap ${styles.page}`}>
      <PageHeader
        title={held.until ? t('board.heldUntilTitle') : t('board.waitsForReview')}
        trail={usePostFormTrail(place)}
      />
      <div className="stack" role="status">
        <p>{held.until ? <HeldUntil id={held.id} until={held.until} /> : t('board.heldText', { id: held.id })}</p>
        <ButtonLink href={`${threadPath(board.id, threadId)}#p${held.id}`}>{t('board.lookForPost')}</ButtonLink>
        <ButtonLink variant="text" href={boardPath(board.id)}>
          {t('site.backTo', { name: `/${board.id}/` })}
        </ButtonLink>
      </div>
    </div>
  )
}

const HeldUntil = ({ id, until }: { id: number; until: Date }) =>
  rich('board.heldUntilText', { id, time: () => <Time date={until} /> })

const usePostFormTrail = ({ board, thread }: PostFormPlace) => [
  useBoardsCrumb(),
  { label: `/${board.id}/`, href: boardPath(board.id) },
  ...(thread ? [{ label: t('ui.postNumber', { id: thread.id }), href: threadPath(board.id, thread.id) }] : []),
  { label: t('board.post') },
]

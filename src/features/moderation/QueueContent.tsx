import type { ReactNode } from 'react'
import { picturesOf } from '#src/contract/board.ts'
import type { ReportedContent } from '#src/contract/reports.ts'
import { formatBytes } from '#src/lib/formatBytes.ts'
import { Nick } from '#src/ui/Nick.tsx'
import { Time } from '#src/ui/Time.tsx'
import styles from './QueueItem.module.css'
import { CoveredPicture, Preview } from './QueuePicture.tsx'
import { Links, PosterLabel, QueuePost } from './QueuePost.tsx'

type Content = NonNullable<ReportedContent>
type Of<Kind extends Content['kind']> = { content: Extract<Content, { kind: Kind }>; label: string | null }

/** Shows a reported item as it is now. */
export function QueueContent({ content, label }: { content: Content; label: string | null }) {
  switch (content.kind) {
    case 'post':
      return <ReportedPost content={content} label={label} />
    case 'paste':
      return <ReportedPaste content={content} label={label} />
    case 'image':
      return <ReportedImage content={content} label={label} />
    case 'program':
      return <ReportedProgram content={content} label={label} />
  }
}

function ReportedPost({ content: { post, context, isRemoved }, label }: Of<'post'>) {
  return (
    <>
      {isRemoved && <p className={styles.removed}>Removed. It can be restored for a week.</p>}
      <QueuePost post={post} label={label} context={context}>
        {post.picture && (
          <CoveredPicture>
            {picturesOf(post).map(({ display }) => (
              <Preview key={display.url} image={display} alt={`Picture of No. ${post.id}`} />
            ))}
          </CoveredPicture>
        )}
      </QueuePost>
    </>
  )
}

function Head({ label, children }: { label: string | null; children: ReactNode }) {
  return (
    <p className={styles.by}>
      {children}
      {label !== null && <PosterLabel label={label} />}
    </p>
  )
}

function ReportedPaste({ content: { text, isTruncated, bytes, flags, expiresAt }, label }: Of<'paste'>) {
  return (
    <div className={styles.post}>
      <Head label={label}>
        <span className="data">
          {formatBytes(bytes)} · expires <Time date={expiresAt} />
          {flags.burnAfterReading && ' · burns after reading'}
        </span>
      </Head>
      {text === null ? (
        <p>It was encrypted in a browser. If the reporter sent its key, the button above opens it.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling by keyboard needs focus
        <pre className={styles.paste} tabIndex={0}>
          {text}
        </pre>
      )}
      {isTruncated && <p className="hint">Only the beginning is shown.</p>}
    </div>
  )
}

function ReportedImage({ content: { share }, label }: Of<'image'>) {
  return (
    <div className={styles.post}>
      <Head label={label}>
        <span className="data">
          {share.filename} · {formatBytes(share.image.bytes)} · expires <Time date={share.expiresAt} />
        </span>
      </Head>
      <CoveredPicture>
        <Preview image={share.display} alt="The shared image" />
      </CoveredPicture>
    </div>
  )
}

function ReportedProgram({ content: { program }, label }: Of<'program'>) {
  return (
    <div className={styles.post}>
      <Head label={label}>
        <strong>{program.name}</strong>
        <span className="data">
          {program.category}, by <Nick name={program.addedBy} />
        </span>
      </Head>
      <p className={styles.text}>{program.description}</p>
      <Links links={[program.link]} />
    </div>
  )
}

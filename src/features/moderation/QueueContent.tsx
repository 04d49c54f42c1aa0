import type { ReactNode } from 'react'
import { picturesOf } from '#src/contract/post.ts'
import type { ReportedContent } from '#src/contract/reports.ts'
import { rich, t } from '#src/i18n/t.ts'
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
      {isRemoved && <p className={styles.removed}>{t('moderation.postRemoved')}</p>}
      <QueuePost post={post} label={label} context={context}>
        {post.picture && (
          <CoveredPicture>
            {picturesOf(post).map(({ display }) => (
              <Preview key={display.url} image={display} alt={t('moderation.pictureOf', { id: post.id })} />
            ))}
          </CoveredPicture>
        )}
      </QueuePost>
    </>
  )
}

function Head({ label, children }: { label: string | null; children: ReactNode }) {
  return (
    <p className="cluster">
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
          {formatBytes(bytes)} · {rich('moderation.expires', { time: () => <Time date={expiresAt} /> })}
          {flags.burnAfterReading && ` · ${t('moderation.burns')}`}
        </span>
      </Head>
      {text === null ? (
        <p>{t('moderation.pasteEncrypted')}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling by keyboard needs focus
        <pre className={styles.paste} tabIndex={0} translate="no">
          {text}
        </pre>
      )}
      {isTruncated && <p className="hint">{t('moderation.pasteTruncated')}</p>}
    </div>
  )
}

function ReportedImage({ content: { share }, label }: Of<'image'>) {
  return (
    <div className={styles.post}>
      <Head label={label}>
        <span className="data">
          {share.filename} · {formatBytes(share.image.bytes)} ·{' '}
          {rich('moderation.expires', { time: () => <Time date={share.expiresAt} /> })}
        </span>
      </Head>
      <CoveredPicture>
        <Preview image={share.display} alt={t('moderation.sharedImage')} />
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
          {rich('moderation.programBy', { category: program.category, nick: () => <Nick name={program.addedBy} /> })}
        </span>
      </Head>
      <p className={styles.text}>{program.description}</p>
      <Links links={[program.link]} />
    </div>
  )
}

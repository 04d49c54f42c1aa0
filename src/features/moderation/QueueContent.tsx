import type { ReportedContent } from '#src/contract/reports.ts'
import { fitInside } from '#src/lib/fitInside.ts'
import { formatBytes } from '#src/lib/formatBytes.ts'
import { Nick } from '#src/ui/Nick.tsx'
import { RelativeTime, Time } from '#src/ui/Time.tsx'
import styles from './QueueScreen.module.css'

type Content = NonNullable<ReportedContent>
type Of<Kind extends Content['kind']> = { content: Extract<Content, { kind: Kind }> }

export function QueueContent({ content }: { content: Content }) {
  switch (content.kind) {
    case 'post':
      return <ReportedPost content={content} />
    case 'paste':
      return <ReportedPaste content={content} />
    case 'image':
      return <ReportedImage content={content} />
    case 'program':
      return <ReportedProgram content={content} />
  }
}

function ReportedPost({ content: { post } }: Of<'post'>) {
  return (
    <>
      <p className={styles.by}>
        <Nick name={post.author} />
        <span className="data">
          <Time date={post.createdAt} /> · No. {post.id}
        </span>
      </p>
      <p className={styles.text}>{post.content}</p>
      {post.picture && <Preview image={post.picture.display} alt={`Image of No. ${post.id}`} />}
      <Links links={post.links} />
    </>
  )
}

function ReportedPaste({ content: { text, isTruncated, bytes, flags, expiresAt } }: Of<'paste'>) {
  return (
    <>
      <p className="data">
        {formatBytes(bytes)} · expires <RelativeTime date={expiresAt} />
        {flags.burnAfterReading && ' · burns after reading'}
      </p>
      {text === null ? (
        <p>It was encrypted in a browser. Open it with the button above, if the reporter sent its key.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling by keyboard needs focus
        <pre className={styles.paste} tabIndex={0}>
          {text}
        </pre>
      )}
      {isTruncated && <p className="hint">This is the start of it.</p>}
    </>
  )
}

function ReportedImage({ content: { share } }: Of<'image'>) {
  return (
    <>
      <p className="data">
        {share.filename} · {formatBytes(share.image.bytes)} · expires <RelativeTime date={share.expiresAt} />
      </p>
      <Preview image={share.display} alt="The shared image" />
    </>
  )
}

function ReportedProgram({ content: { program } }: Of<'program'>) {
  return (
    <>
      <p className={styles.by}>
        <strong>{program.name}</strong>
        <span className="data">
          {program.category}, by <Nick name={program.addedBy} />
        </span>
      </p>
      <p className={styles.text}>{program.description}</p>
      <Links links={[program.link]} />
    </>
  )
}

const PREVIEW = { width: 480, height: 320 }

function Preview({ image, alt }: { image: { url: string; width: number; height: number }; alt: string }) {
  const size = fitInside(image, PREVIEW)
  return <img className={styles.preview} src={image.url} width={size.width} height={size.height} alt={alt} />
}

function Links({ links }: { links: string[] }) {
  if (links.length === 0) return null
  return (
    <ul className={styles.links}>
      {links.map((link) => (
        <li key={link}>
          <a href={link} target="_blank" rel="nofollow ugc noopener noreferrer">
            {link}
          </a>
        </li>
      ))}
    </ul>
  )
}

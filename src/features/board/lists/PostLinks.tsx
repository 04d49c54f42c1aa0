import '#src/features/board/post/post.css'

export function PostLinks({ links }: { links: string[] }) {
  if (links.length === 0) return null
  return (
    <ul className="links">
      {[...new Set(links)].map((link) => (
        <li key={link}>
          <a href={link} title={link} target="_blank" rel="nofollow ugc noopener">
            <span>{link.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, '')}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}

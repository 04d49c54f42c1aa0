import type { LinkCard } from '#src/contract/linkCard.ts'
import { rich, t } from '#src/i18n/t.ts'
import { formatBytes } from '#src/lib/formatBytes.ts'
import { Time } from '#src/ui/Time.tsx'
import styles from './LinkCards.module.css'

const KINDS = {
  paste: () => t('board.paste'),
  image: () => t('board.sharedImage'),
  program: () => t('board.program'),
  broadcast: () => t('board.recordedShow'),
} satisfies Record<LinkCard['kind'], () => string>

/** Shows the items of this site that a post links to. */
export function LinkCards({ cards }: { cards: LinkCard[] }) {
  return (
    <ul className={styles.cards}>
      {cards.map((card) => (
        <li key={JSON.stringify(card)}>
          <a href={card.path} className={styles.card}>
            {card.kind === 'image' && (
              <img {...pictureOf(card.preview)} alt="" loading="lazy" className={styles.picture} />
            )}
            <span className={styles.text}>
              <span className="label">{KINDS[card.kind]()}</span>
              <CardText card={card} />
            </span>
          </a>
        </li>
      ))}
    </ul>
  )
}

const pictureOf = ({ url, width, height }: { url: string; width: number; height: number }) => ({
  src: url,
  width,
  height,
})

function CardText({ card }: { card: LinkCard }) {
  if (card.kind === 'program')
    return (
      <>
        <strong dir="auto">{card.name}</strong>
        <span className={styles.note} dir="auto">
          {card.description}
        </span>
      </>
    )
  if (card.kind === 'broadcast')
    return (
      <>
        <strong dir="auto">{card.title ?? card.streamer}</strong>
        <span className="data">
          {card.title !== null && `${card.streamer} · `}
          <Time date={card.startedAt} />
        </span>
      </>
    )
  return (
    <span className="data">
      {rich('board.cardExpires', {
        size: formatBytes(card.bytes),
        time: () => <Time date={card.expiresAt} />,
      })}
    </span>
  )
}

import type { ShowView } from '#src/contract/show.ts'

type ShowImageProps = { image: NonNullable<ShowView['image']>; isLarge?: boolean; className?: string | undefined }

/** Decoration: the title beside it names the show. */
export function ShowImage({ image, isLarge, className }: ShowImageProps) {
  const { url, width, height } = isLarge ? image.display : image.preview
  return <img className={className} src={url} width={width} height={height} alt="" loading="lazy" decoding="async" />
}

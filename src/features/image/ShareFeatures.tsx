import { EyeOff, Film, Link2Off, ShieldCheck, TimerOff, Trash2 } from 'lucide-react'
import { type Feature, FeatureList } from '#src/ui/FeatureList.tsx'

const features: Feature[] = [
  [
    ShieldCheck,
    'EXIF stripped on the server',
    'Every image is decoded and encoded again: position, camera, thumbnails and comments are not in the new file.',
  ],
  [TimerOff, 'Expires by itself', 'After 1 hour up to 1 week. From then on the page and the file are gone.'],
  [EyeOff, 'Not listed', 'The address is random, and search engines are told to stay away.'],
  [Film, 'JPEG, PNG, GIF and WebP', 'Each keeps its format, and what moves goes on moving. Up to 5 MB.'],
  [Trash2, 'A delete link of your own', 'Take the image back whenever you like.'],
  [Link2Off, 'No account', 'Nothing is asked of you, and only the count of views is kept.'],
]

export const ShareFeatures = () => <FeatureList features={features} />

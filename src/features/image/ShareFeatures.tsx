import { EyeOff, Film, Link2Off, ShieldCheck, TimerOff, Trash2 } from 'lucide-react'
import { type Feature, FeatureList } from '#src/ui/FeatureList.tsx'

const features: Feature[] = [
  [
    ShieldCheck,
    'EXIF stripped on the server',
    'Every image is encoded again, without location, camera, thumbnails or comments.',
  ],
  [TimerOff, 'Expires automatically', 'Choose from 1 hour to 1 week. Then the page and the file are gone.'],
  [EyeOff, 'Not listed', 'The link is random, and search engines are told to stay away.'],
  [Film, 'JPEG, PNG, GIF and WebP', 'Each keeps its format. Animations stay animated. Up to 5 MB.'],
  [Trash2, 'Your own delete link', 'Delete the image whenever you like.'],
  [Link2Off, 'No account', 'Nothing to sign up for. We count views, not viewers.'],
]

export const ShareFeatures = () => <FeatureList features={features} />

export { BansScreen as default } from '#src/features/moderation/BansScreen.tsx'

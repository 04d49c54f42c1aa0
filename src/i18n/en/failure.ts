export default {
  again: '{tryAgain} or go to the {homePage}.',
  back: 'Go back to try again, or go to the {homePage}.',
  homePage: 'home page',
  title: 'Error {status}',
  tryAgain: 'Try again',
} as const

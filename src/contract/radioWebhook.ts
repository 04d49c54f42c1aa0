export const AZURACAST_WEBHOOK_PATH = '/api/radio/webhooks/azuracast'

export const radioWebhookMessages = {
  token: 'The token is missing or wrong',
} as const

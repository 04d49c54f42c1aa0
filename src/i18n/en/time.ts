export default {
  ago: '{duration} ago',
  date: '{day}/{month}/{year}',
  daysAgo: '{count} d ago',
  hours: '{count} h',
  inDuration: 'in {duration}',
  justNow: 'just now',
  minutes: '{count} min',
  today: 'today {time}',
  tomorrow: 'tomorrow {time}',
  yesterday: 'yesterday {time}',
} as const

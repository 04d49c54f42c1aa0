export default 'Every call of this site for your own programs: what it takes, what it answers, and an example with curl.'

export default 'Who is on air, the next show, and the schedule of the week. Subscribe to it with your calendar.'

export default 'Tech, radio and hardware on IRC'

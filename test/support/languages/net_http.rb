# Sends each case by Net::HTTP, and prints what it sees. A case: address, authorization, Content-Encoding, close or keep.
require 'net/http'

body = 'x' * ARGV.shift.to_i
ARGV.each do |one|
  url, authorization, coding, connection = one.split('|')
  uri = URI(url)
  headers = { 'Content-Type' => 'application/json' }
  headers['Connection'] = 'close' if connection == 'close'
  headers['Authorization'] = authorization unless authorization.empty?
  headers['Content-Encoding'] = coding unless coding.empty?
  begin
    http = Net::HTTP.new(uri.host, uri.port)
    http.use_ssl = uri.scheme == 'https'
    http.verify_mode = 0
    http.max_retries = 0
    puts http.start { |open| open.post(uri.request_uri, body, headers) }.code
  rescue StandardError => e
    puts e.message
  end
end

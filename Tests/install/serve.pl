# Starts the installed server, makes a key, asks it for a session, and stops it: no packages but Debian's perl-base.
use strict;
use warnings;
use IO::Socket::INET;

my $folder = "/tmp/served";
my $server = open(my $said, "-|", qw(faceverify serve --port 0 --data), $folder) or die "no faceverify: $!";
my ($port) = (<$said> // "") =~ m{^faceverify: http://127\.0\.0\.1:(\d+)/} or die "it did not say where it is";
my ($key) = `faceverify serve key add --name proof --data $folder` =~ /(fvk_\S+)/ or die "no key";
my $body = '{"requests": [{"category": "face"}], "comparesFace": false}';
my $answer = "";
for my $request (
  "GET /s HTTP/1.1\r\n",
  "POST /v1/sessions HTTP/1.1\r\nAuthorization: Bearer $key\r\nContent-Type: application/json\r\nContent-Length: "
    . length($body) . "\r\n",
) {
  my $connection = IO::Socket::INET->new(PeerAddr => "127.0.0.1:$port", Timeout => 10) or die "no connection: $!";
  print $connection $request, "Host: 127.0.0.1\r\nConnection: close\r\n\r\n", $request =~ /^POST/ ? $body : "";
  $answer .= do { local $/; <$connection> };
}
kill "TERM", $server;
waitpid $server, 0;
die "exit code $?" if $?;
die $answer unless $answer =~ m{^HTTP/1\.1 200 } && $answer =~ m{HTTP/1\.1 201 .*/s#t=fvp_}s;
print "served\n";

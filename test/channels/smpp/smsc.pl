#!/usr/bin/perl
# An SMSC for the tests, by Net::SMPP: it was written by others. It takes orders on its input, one JSON object a line, and tells
# on its output what has happened. It decides nothing.
use strict; use warnings;
use Net::SMPP; use IO::Select; use JSON::PP;
$| = 1; binmode(STDOUT, ':raw'); $SIG{PIPE} = 'IGNORE';
open(STDERR, '>', '/dev/null');
my $port = $ARGV[0];
my $json = JSON::PP->new->canonical;
my $listen = Net::SMPP->new_listen('127.0.0.1', port => $port, listen => 50, smpp_version => 0x34, interface_version => 0x34, async => 1) or exit 1;
my $select = IO::Select->new($listen, \*STDIN);
my (%links, %answer, $next, $buffer, $count) = ();
$next = 0; $buffer = ''; $count = 0;
my %order = (status => 0, bind => 0, silent => 0, ids => 'decimal');
sub tell_ { print $json->encode({@_}), "\n" }
sub hexed { my %h = @_; map { ($_ => unpack('H*', $h{$_} // '')) } keys %h }
tell_(did => 'listens');

while (1) {
  for my $ready ($select->can_read) {
    if (ref($ready) eq 'GLOB') { orders() }
    elsif ($ready == $listen) {
      my $link = $listen->accept or next;
      $links{++$next} = $link; $select->add($link);
    } else { pdu($ready) }
  }
}

sub numberOf { my $link = shift; for (keys %links) { return $_ if $links{$_} == $link } return 0 }
sub gone { my $link = shift; my $n = numberOf($link); $select->remove($link); close($link); delete $links{$n}; tell_(did => 'closed', link => $n) }

sub pdu {
  my $link = shift; my $n = numberOf($link);
  my $pdu = $link->read_pdu or return gone($link);
  my $cmd = $pdu->{cmd};
  if ($cmd == 0x9) {
    tell_(did => 'bind', link => $n, name => $pdu->{system_id}, password => $pdu->{password}, type => $pdu->{system_type});
    $link->bind_transceiver_resp(system_id => 'perl', seq => $pdu->{seq}, status => $order{bind});
  } elsif ($cmd == 0x1 || $cmd == 0x2) {
    tell_(did => 'bind', link => $n, half => $cmd == 0x1 ? 'in' : 'out');
    my $resp = $cmd == 0x1 ? 'bind_receiver_resp' : 'bind_transmitter_resp';
    $link->$resp(system_id => 'perl', seq => $pdu->{seq}, status => $order{bind});
  } elsif ($cmd == 0x4) {
    my %t = hexed(short => $pdu->{short_message}, payload => $pdu->{message_payload}, info => $pdu->{its_session_info});
    my $id = $order{ids} eq 'hex' ? sprintf('%X', ++$count + 0xA0) : ++$count + 0xA0;
    my $status = $order{status};
    tell_(did => 'submit', link => $n, to => $pdu->{destination_addr}, from => $pdu->{source_addr}, type => $pdu->{service_type},
      coding => $pdu->{data_coding}, class => $pdu->{esm_class}, receipt => $pdu->{registered_delivery}, seq => $pdu->{seq},
      op => (defined $pdu->{ussd_service_op} ? unpack('C', $pdu->{ussd_service_op}) : undef), status => $status, id => "$id",
      ton => $pdu->{dest_addr_ton}, fromTon => $pdu->{source_addr_ton},
      sar => (defined $pdu->{sar_segment_seqnum} ? unpack('C', $pdu->{sar_segment_seqnum}) : undef), %t);
    $link->submit_sm_resp(message_id => "$id", seq => $pdu->{seq}, status => $status) unless $order{silent};
    $order{status} = 0 if $order{once};
  } elsif ($cmd == 0x80000005) { tell_(did => 'answered', link => $n, seq => $pdu->{seq}, status => $pdu->{status}) }
  elsif ($cmd == 0x15) { tell_(did => 'enquired', link => $n); $link->enquire_link_resp(seq => $pdu->{seq}) }
  elsif ($cmd == 0x80000015) { tell_(did => 'alive', link => $n) }
  elsif ($cmd == 0x80000000) { tell_(did => 'nack', link => $n, seq => $pdu->{seq}) }
  elsif ($cmd == 0x6) { $link->unbind_resp(seq => $pdu->{seq}); tell_(did => 'unbind', link => $n) }
}

sub orders {
  my $n = sysread(STDIN, $buffer, 65536, length $buffer); exit 0 unless $n;
  while ($buffer =~ s/^(.*)\n//) {
    my $o = $json->decode($1); my $do = delete $o->{do};
    if ($do eq 'set') { %order = (%order, %$o); tell_(did => 'set'); next }
    my $number = delete $o->{link} // (sort { $b <=> $a } keys %links)[0];
    my $link = defined $number ? $links{$number} : undef;
    unless ($link) { tell_(did => 'nothing'); next }
    if ($do eq 'cut') { gone($link) }
    elsif ($do eq 'raw') { $link->syswrite(pack('H*', $o->{hex})) }
    elsif ($do eq 'enquire') { $link->enquire_link(async => 1) }
    elsif ($do eq 'deliver') {
      my %f = %$o;
      $f{short_message} = pack('H*', $f{short_message} // '');
      for (qw(its_session_info message_payload)) { $f{$_} = pack('H*', $f{$_}) if defined $f{$_} }
      for (qw(ussd_service_op message_state)) { $f{$_} = pack('C', $f{$_}) if defined $f{$_} }
      $f{user_message_reference} = pack('n', $f{user_message_reference}) if defined $f{user_message_reference};
      $f{receipted_message_id} .= "\0" if defined $f{receipted_message_id};
      tell_(did => 'delivered', seq => $link->deliver_sm(async => 1, %f));
    }
  }
}

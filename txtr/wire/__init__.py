"""The protocol between the queuekeeper and its callers.

messages      the messages, as values
frames        a message as bytes: four bytes of length, then MessagePack
conversation  which side may say which message when, as one table
caller        the handshake, as a harvester or a visitor that calls makes it
lease         how long a harvester may work without an echo; why a stalled harvester cannot break a rule
secret        edge: the secret that both sides share
callers       which callers stay when many call; listener: edge: accepts them; complaints: limits how often an
              event is logged

Invariant: whatever a peer sends, the answer is a message or a TheirMistake that names what was expected and
what came.
"""

"""What the queuekeeper and its callers say to each other.

messages      the messages, as values
frames        a message as bytes: four bytes of length, then MessagePack
conversation  who may say what when, as one table
lease         how long a harvester may work without an echo; why a stalled harvester cannot break a rule
secret        edge: what both sides know and nobody else
callers       who may stay when many call; listener: edge: accepts them; complaints: what goes wrong is said
              once

Invariant: whatever a peer sends, the answer is a message or a TheirMistake that names what was expected and
what came.
"""

// The health check of the container image, which has neither a shell nor a web client: exits with 0 if the server at a port of this
// machine answers a request within five seconds. A server with a token answers 401, which is an answer.
// Usage: healthy PORT

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

int main(int count, char **arguments) {
    const int port = count == 2 ? atoi(arguments[1]) : 0;
    const struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const struct timeval limit = {.tv_sec = 5};
    const int server = socket(AF_INET, SOCK_STREAM, 0);
    setsockopt(server, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    setsockopt(server, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    if (connect(server, (const struct sockaddr *)&address, sizeof address) != 0) {
        perror("healthy: no connection");
        return 1;
    }
    dprintf(server, "GET /api/v1/sources HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: close\r\n\r\n", port);
    char answer[16] = "";
    int status = 0;
    if (recv(server, answer, sizeof answer - 1, MSG_WAITALL) < 0 || sscanf(answer, "HTTP/1.1 %d", &status) != 1) {
        fprintf(stderr, "healthy: no answer\n");
        return 1;
    }
    if (status != 200 && status != 401) {
        fprintf(stderr, "healthy: the answer is %d\n", status);
        return 1;
    }
    return 0;
}
